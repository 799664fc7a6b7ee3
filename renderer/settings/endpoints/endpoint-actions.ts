import type { ProxyDraft } from '../../../shared/settings/connection-settings.ts';
import type { Bridge } from '../../app/bridge/ordered-bridge.ts';
import type { Store } from '../../app/store.ts';
import type { UiState } from '../../app/ui-state.ts';
import type { SettingsActionContext } from '../field-actions.ts';
import { endpointFormId } from '../settings-ui-state.ts';
import {
  emptyEndpointForm,
  toProfileDraft,
  type EndpointForm,
  validateEndpointForm,
  toEndpointForm,
} from './endpoint-form.ts';

/** Server actions: choose, edit, test, remove. */
export function createEndpointActions(
  store: Store<UiState>,
  bridge: Bridge,
  context: SettingsActionContext,
) {
  const { settingsUi, change, setField, ask } = context;
  /** Counts saves. A test that began before a save is outdated. */
  let saves = 0;
  /** Counts forms; replies for a closed form are ignored. */
  let forms = 0;

  const openForm = (form: EndpointForm | undefined): void => {
    forms += 1;
    const otherFields = Object.entries(settingsUi().fields).filter(
      ([id]) => !id.startsWith(endpointFormId),
    );
    change({ form, verdict: undefined, fields: Object.fromEntries(otherFields) });
  };
  /** Validates the form and shows the first error at its field. */
  const validate = (form: EndpointForm): boolean => {
    for (const id of Object.keys(settingsUi().fields)) {
      if (id.startsWith(endpointFormId)) setField(id, undefined);
    }
    const invalid = validateEndpointForm(form);
    if (invalid !== undefined)
      setField(`${endpointFormId}.${invalid.field}`, { problem: invalid.problem });
    return invalid === undefined;
  };

  /** Changes when the server does. The page does not know its secrets, so every save counts as a change. */
  const serverRevision = (id: string): string =>
    JSON.stringify([
      saves,
      store.getState().settings?.endpoints.list.find((each) => each.id === id),
    ]);

  return {
    addServer: () => openForm(emptyEndpointForm),
    editServer: (id: string) => {
      const profile = store.getState().settings?.endpoints.list.find((each) => each.id === id);
      if (profile !== undefined) openForm(toEndpointForm(profile));
    },
    fillIn: (part: Partial<EndpointForm>) => {
      const { form } = settingsUi();
      if (form !== undefined) change({ form: { ...form, ...part }, verdict: undefined });
    },
    closeForm: () => openForm(undefined),
    /** Saves the server. If the token is rejected, or the user edited meanwhile, the form stays open. */
    saveForm: async () => {
      const { form } = settingsUi();
      if (form === undefined || !validate(form)) return;
      const openedForm = forms;
      saves += 1;
      const saved = await ask(endpointFormId, () =>
        bridge.request('putEndpoint', toProfileDraft(form)),
      );
      if (saved === undefined) return;
      const { id } = saved.value;
      const { token } = form;
      const unchanged = settingsUi().form === form;
      // A new server is also chosen. An edited one is not.
      if (form.id === undefined) {
        const chosen = { endpoints: { chosen: id } };
        void ask(`server.${id}`, () => bridge.request('changeSettings', chosen));
      }
      const openedNow = settingsUi().form;
      if (openedNow !== undefined && openedForm === forms) change({ form: { ...openedNow, id } });
      const savedForm = settingsUi().form;
      if (token !== '') {
        // Does not use `ask`, which would drop the request while another one runs for the same field.
        const tokenReply = await bridge.request('setToken', { id, token });
        if (!tokenReply.ok) {
          const fieldId = openedForm === forms ? `${endpointFormId}.token` : `server.${id}`;
          setField(fieldId, { problem: tokenReply.error });
          return;
        }
      }
      if (unchanged && openedForm === forms && settingsUi().form === savedForm) openForm(undefined);
    },
    /** Returns whether the server was tested; otherwise a field is invalid. */
    testForm: async (): Promise<boolean> => {
      const { form } = settingsUi();
      if (form === undefined || !validate(form)) return false;
      change({ verdict: undefined });
      const token = form.token === '' ? {} : { token: form.token };
      const input = { server: toProfileDraft(form), mode: 'audio', ...token } as const;
      const answer = await ask(endpointFormId, () => bridge.request('testEndpoint', input));
      // The verdict does not apply to an edited form.
      if (answer !== undefined && settingsUi().form === form) {
        change({ verdict: { of: endpointFormId, result: answer.value } });
      }
      return answer !== undefined;
    },
    testServer: async (id: string) => {
      change({ verdict: undefined });
      const before = serverRevision(id);
      const input = { server: { id }, mode: 'audio' } as const;
      const answer = await ask(`server.${id}`, () => bridge.request('testEndpoint', input));
      // The verdict does not apply to a changed server.
      if (answer !== undefined && serverRevision(id) === before) {
        change({ verdict: { of: id, result: answer.value } });
      }
    },
    forgetToken: async (id: string) => {
      await ask(`${endpointFormId}.token`, () => bridge.request('forgetToken', { id }));
    },
    /** Does not use `ask`, which would drop the request during a test of the server. */
    removeServer: async (id: string) => {
      const reply = await bridge.request('removeEndpoint', { id });
      if (!reply.ok) setField(`server.${id}`, { problem: reply.error });
    },
    /** Returns whether the proxy was accepted. */
    saveProxy: async (draft: ProxyDraft): Promise<boolean> =>
      (await ask('endpoints.proxyAddress', () => bridge.request('setProxy', draft))) !== undefined,
    forgetProxyLogin: async () => {
      await ask('endpoints.proxyAddress', () => bridge.request('forgetProxyLogin', undefined));
    },
    readSecretStorage: async () => {
      const reply = await bridge.request('tokenStorage', undefined);
      if (reply.ok) change({ secretStorage: reply.value });
    },
    readServerContext: async () => {
      const reply = await bridge.request('serverContext', undefined);
      if (reply.ok) change({ serverContext: reply.value });
    },
  };
}
