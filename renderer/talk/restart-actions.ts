import type { DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { EndpointProfile } from '../../shared/settings/endpoint-profile.ts';
import { isTalkOver } from '../../shared/talk/talk-state.ts';
import type { Ask } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import { toProfileDraft, toEndpointForm } from '../settings/endpoints/endpoint-form.ts';

interface Deps {
  readonly store: Store<UiState>;
  readonly end: () => Promise<unknown>;
  readonly start: (mode: DuplexMode) => Promise<void>;
}

/** A talk that began without pictures cannot add them, so it ends before another starts. */
export function createStartWithPictures({ store, end, start }: Deps): () => Promise<void> {
  const isOver = (): boolean => isTalkOver(store.getState().talkState.value.phase);
  const untilOver = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = store.subscribe(() => {
        if (!isOver()) return;
        stop();
        resolve();
      });
    });
  return async () => {
    if (!isOver()) {
      const ended = untilOver();
      await end();
      await ended;
    }
    await start('video');
  };
}

/** The server of the ended talk, if it is still the chosen one and the user can change its settings. */
export function refusingServer({
  settings,
  facts,
}: Pick<UiState, 'settings' | 'facts'>): EndpointProfile | undefined {
  const chosen = settings?.endpoints.list.find(({ id }) => id === settings.endpoints.chosen);
  return chosen?.kind === 'embedded' || chosen?.name !== facts?.endpoint ? undefined : chosen;
}

interface LeaveOutActionDeps {
  readonly store: Store<UiState>;
  readonly ask: Ask;
  readonly start: (mode: DuplexMode) => Promise<void>;
}

/** Stops sending a `config` field that the server refused, and starts the talk again. */
export function createLeaveOutAction({ store, ask, start }: LeaveOutActionDeps) {
  let isSaving = false;
  return async (field: string): Promise<void> => {
    const state = store.getState();
    const server = refusingServer(state);
    if (server === undefined || isSaving) return;
    isSaving = true;
    const { traits } = server;
    const draft = toProfileDraft(toEndpointForm(server));
    const done = await ask('putEndpoint', {
      ...draft,
      traits: { ...traits, config: { ...traits?.config, [field]: null } },
    });
    isSaving = false;
    if (done) await start(state.facts?.mode ?? 'audio');
  };
}
