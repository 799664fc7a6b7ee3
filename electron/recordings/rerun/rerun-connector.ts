import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { EndpointConnector } from '../../settings/servers/endpoint-connector.ts';
import type { Sessions } from '../../talk/sessions.ts';
import type { ConnectedRerun } from '../compare/compare-controller.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';
import { recordSockets } from '../record/tape-recorder.ts';
import type { TapeHeader } from '../tape/tape.ts';

interface Deps {
  readonly connector: Pick<EndpointConnector, 'connect'>;
  readonly sessions: Pick<Sessions, 'openSession'>;
  readonly tapes: Pick<TalkTapes, 'begin'>;
  /** Current time, as a tape name. */
  readonly stamp: () => string;
}

/** Connects a rerun to a server and records it on a new tape, regardless of the settings. */
export class RerunConnector {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly connect = async (
    id: string,
    facts: Pick<TapeHeader, 'mode' | 'chunkMs' | 'settings'>,
  ): Promise<Outcome<ConnectedRerun>> => {
    const { connector, sessions, tapes, stamp } = this.#deps;
    const connected = await connector.connect(id);
    if (!connected.ok) return connected;
    const { profile, endpoint, sockets } = connected.value;
    const { dialect } = profile;
    const tape = stamp();
    const address = endpoint?.url ?? profile.id;
    const begun = await tapes.begin(tape, { ...facts, dialect, endpoint: address }, 'request');
    const { recorder, finish, onShown } = begun;
    onShown();
    if (recorder === undefined) return failure('tapeFailed');
    const recorded = recordSockets(sockets, recorder);
    return {
      ok: true,
      value: {
        tape,
        finish,
        dialect,
        recorder,
        openSession: (options, emit) =>
          sessions.openSession(options, { sockets: recorded, emit, server: endpoint?.url }),
      },
    };
  };
}
