import type { Bridge } from '../bridge/bridge.ts';
import { draftOf, emptyForm, faultOf, formOf } from './endpoint-form.ts';
import type { EndpointForm } from './endpoint-form.ts';
import type { RoomWork } from './room-work.ts';
import { formId } from './settings-room.ts';
import type { Store } from './store.ts';
import type { View } from './view.ts';

/** Servers: chosen, filled in, tried, removed. */
export function createEndpointActions(store: Store<View>, bridge: Bridge, work: RoomWork) {
  const { room, change, setField, ask } = work;
  /** Counts what was saved: a test that was begun before says nothing of it. */
  let saves = 0;
  /** Counts forms: what comes of one that was closed is not done to the next. */
  let forms = 0;

  const openForm = (form: EndpointForm | undefined): void => {
    forms += 1;
    const rest = Object.entries(room().fields).filter(([id]) => !id.startsWith(formId));
    change({ form, verdict: undefined, fields: Object.fromEntries(rest) });
  };
  /** Whether nothing is wrong that can be seen before the core is asked; what is, is said where it is. */
  const isRight = (form: EndpointForm): boolean => {
    for (const id of Object.keys(room().fields)) {
      if (id.startsWith(formId)) setField(id, undefined);
    }
    const fault = faultOf(form);
    if (fault !== undefined) setField(`${formId}.${fault.place}`, { problem: fault.problem });
    return fault === undefined;
  };

  /** A server as it is known here; its secrets are not, so what is saved counts besides. */
  const known = (id: string): string =>
    JSON.stringify([saves, store.view().settings?.endpoints.list.find((each) => each.id === id)]);

  return {
    addServer: () => {
      openForm(emptyForm);
    },
    editServer: (id: string) => {
      const profile = store.view().settings?.endpoints.list.find((each) => each.id === id);
      if (profile !== undefined) openForm(formOf(profile));
    },
    fillIn: (part: Partial<EndpointForm>) => {
      const { form } = room();
      if (form !== undefined) change({ form: { ...form, ...part }, verdict: undefined });
    },
    closeForm: () => {
      openForm(undefined);
    },
    /**
     * A server whose token was not taken is kept all the same, and its form stays open. So it does where
     * something was typed into it meanwhile.
     */
    saveForm: async () => {
      const { form } = room();
      if (form === undefined || !isRight(form)) return;
      const opened = forms;
      saves += 1;
      const saved = await ask(formId, () => bridge.request('putEndpoint', draftOf(form)));
      if (saved === undefined) return;
      const { id } = saved.value;
      const { token } = form;
      const unchanged = room().form === form;
      const now = room().form;
      if (now !== undefined && opened === forms) change({ form: { ...now, id } });
      const written = room().form;
      if (token !== '') {
        const place = opened === forms ? `${formId}.token` : `server.${id}`;
        const kept = await ask(place, () => bridge.request('setToken', { id, token }));
        if (kept === undefined) return;
      }
      if (unchanged && opened === forms && room().form === written) openForm(undefined);
    },
    testForm: async () => {
      const { form } = room();
      if (form === undefined || !isRight(form)) return;
      change({ verdict: undefined });
      const token = form.token === '' ? {} : { token: form.token };
      const asked = { server: draftOf(form), mode: 'audio', ...token } as const;
      const answer = await ask(formId, () => bridge.request('testEndpoint', asked));
      // What was typed meanwhile was not tried.
      if (answer !== undefined && room().form === form) {
        change({ verdict: { of: formId, is: answer.value } });
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
      await ask(`${formId}.token`, () => bridge.request('forgetToken', { id }));
    },
    removeServer: async (id: string) => {
      const removed = await ask(formId, () => bridge.request('removeEndpoint', { id }));
      if (removed !== undefined && room().form?.id === id) openForm(undefined);
    },
    readTokensAre: async () => {
      const reply = await bridge.request('tokensAre', undefined);
      if (reply.ok) change({ tokensAre: reply.value });
    },
  };
}
