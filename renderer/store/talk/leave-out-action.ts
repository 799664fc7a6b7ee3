import type { RedactedProfile } from '../../../shared/settings/redacted-profile.ts';
import type { DuplexMode } from '../../../shared/protocol/dialect-and-mode.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import type { ReportReply } from '../../talk/talk-actions.ts';
import { endpointDraftOf, endpointFormOf } from '../settings/endpoint-form.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';

/** The server of the talk that has ended, where it is still the chosen one and something can be set of it. */
export function refusingServer({
  settings,
  facts,
}: Pick<UiState, 'settings' | 'facts'>): RedactedProfile | undefined {
  const chosen = settings?.endpoints.list.find(({ id }) => id === settings.endpoints.chosen);
  return chosen?.kind === 'embedded' || chosen?.name !== facts?.endpoint ? undefined : chosen;
}

interface Deps {
  readonly store: Store<UiState>;
  readonly request: Bridge['request'];
  readonly report: ReportReply;
  readonly start: (mode: DuplexMode) => Promise<void>;
}

/** A field of `config` that the server does not take is not sent to it any more, and the talk begins without it. */
export function createLeaveOutAction({ store, request, report, start }: Deps) {
  let leaving = false;
  return async (field: string): Promise<void> => {
    const state = store.getState();
    const server = refusingServer(state);
    if (server === undefined || leaving) return;
    leaving = true;
    const { traits } = server;
    const draft = endpointDraftOf(endpointFormOf(server));
    const reply = await request('putEndpoint', {
      ...draft,
      traits: { ...traits, config: { ...traits?.config, [field]: null } },
    });
    leaving = false;
    report(reply);
    if (reply.ok) await start(state.facts?.mode ?? 'audio');
  };
}
