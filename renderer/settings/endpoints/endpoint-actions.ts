import type { ProxyDraft } from '../../../shared/settings/connection-settings.ts';
import type { Bridge } from '../../app/bridge/ordered-bridge.ts';
import type { Store } from '../../app/store.ts';
import type { UiState } from '../../app/ui-state.ts';
import type { SettingsActionContext } from '../field-actions.ts';
import { endpointFormId } from '../settings-ui-state.ts';
import {
  emptyEndpointForm,
  endpointDraftOf,
  type EndpointForm,
  endpointFormFault,
  endpointFormOf,
} from './endpoint-form.ts';

/** Servers: chosen, filled in, tried, removed. */
export function createEndpointActions(
  store: Store<UiState>,
  bridge: Bridge,
  context: SettingsActionContext,
) {
  const { settingsUi, change, setField, ask } = context;
  /** Counts what was saved: a test that was begun before says nothing of it. */
  let saves = 0;
  /** Counts forms: what comes of one that was closed is not done to the next. */
  let forms = 0;

  const openForm = (form: EndpointForm | undefined): void => {
    forms += 1;
    const rest = Object.entries(settingsUi().fields).filter(
      ([id]) => !id.startsWith(endpointFormId),
    );
    change({ form, verdict: undefined, fields: Object.fromEntries(rest) });
  };
  /** Whether nothing is wrong that can be seen before the core is asked; what is, is said where it is. */
  const isRight = (form: EndpointForm): boolean => {
    for (const id of Object.keys(settingsUi().fields)) {
      if (id.startsWith(endpointFormId)) setField(id, undefined);
    }
    const fault = endpointFormFault(form);
    if (fault !== undefined)
      setField(`${endpointFormId}.${fault.field}`, { problem: fault.problem });
    return fault === undefined;
  };

  /** A server as it is known here; its secrets are not, so what is saved counts besides. */
  const known = (id: string): string =>
    JSON.stringify([
      saves,
      store.getState().settings?.endpoints.list.find((each) => each.id === id),
    ]);

  return {
    addServer: () => openForm(emptyEndpointForm),
    editServer: (id: string) => {
      const profile = store.getState().settings?.endpoints.list.find((each) => each.id === id);
      if (profile !== undefined) openForm(endpointFormOf(profile));
    },
    fillIn: (part: Partial<EndpointForm>) => {
      const { form } = settingsUi();
      if (form !== undefined) change({ form: { ...form, ...part }, verdict: undefined });
    },
    closeForm: () => openForm(undefined),
    /**
     * A server whose token was not taken is kept all the same, and its form stays open. So it does where
     * something was typed into it meanwhile.
     */
    saveForm: async () => {
      const { form } = settingsUi();
      if (form === undefined || !isRight(form)) return;
      const opened = forms;
      saves += 1;
      const saved = await ask(endpointFormId, () =>
        bridge.request('putEndpoint', endpointDraftOf(form)),
      );
      if (saved === undefined) return;
      const { id } = saved.value;
      const { token } = form;
      const unchanged = settingsUi().form === form;
      // Whoever fills in a server means to talk to it; one that was there already is chosen or not as it was.
      if (form.id === undefined) {
        const chosen = { endpoints: { chosen: id } };
        void ask(`server.${id}`, () => bridge.request('changeSettings', chosen));
      }
      const now = settingsUi().form;
      if (now !== undefined && opened === forms) change({ form: { ...now, id } });
      const written = settingsUi().form;
      if (token !== '') {
        const place = opened === forms ? `${endpointFormId}.token` : `server.${id}`;
        const kept = await ask(place, () => bridge.request('setToken', { id, token }));
        if (kept === undefined) return;
      }
      if (unchanged && opened === forms && settingsUi().form === written) openForm(undefined);
    },
    testForm: async () => {
      const { form } = settingsUi();
      if (form === undefined || !isRight(form)) return;
      change({ verdict: undefined });
      const token = form.token === '' ? {} : { token: form.token };
      const asked = { server: endpointDraftOf(form), mode: 'audio', ...token } as const;
      const answer = await ask(endpointFormId, () => bridge.request('testEndpoint', asked));
      // What was typed meanwhile was not tried.
      if (answer !== undefined && settingsUi().form === form) {
        change({ verdict: { of: endpointFormId, is: answer.value } });
      }
    },
    testServer: async (id: string) => {
      change({ verdict: undefined });
      const before = known(id);
      const asked = { server: { id }, mode: 'audio' } as const;
      const answer = await ask(`server.${id}`, () => bridge.request('testEndpoint', asked));
      // What was saved meanwhile was not tried.
      if (answer !== undefined && known(id) === before) {
        change({ verdict: { of: id, is: answer.value } });
      }
    },
    forgetToken: async (id: string) => {
      await ask(`${endpointFormId}.token`, () => bridge.request('forgetToken', { id }));
    },
    removeServer: async (id: string) => {
      await ask(`server.${id}`, () => bridge.request('removeEndpoint', { id }));
    },
    /** Whether it is used now. */
    saveProxy: async (draft: ProxyDraft): Promise<boolean> =>
      (await ask('endpoints.proxyAddress', () => bridge.request('setProxy', draft))) !== undefined,
    forgetProxyLogin: async () => {
      await ask('endpoints.proxyAddress', () => bridge.request('forgetProxyLogin', undefined));
    },
    readSecretStorage: async () => {
      const reply = await bridge.request('tokenStorage', undefined);
      if (reply.ok) change({ secretStorage: reply.value });
    },
    readServerMemory: async () => {
      const reply = await bridge.request('serverMemory', undefined);
      if (reply.ok) change({ serverMemory: reply.value });
    },
  };
}
