import type { Clock } from '../../shared/ports/clock.ts';
import type {
  SessionSettings,
  Mode,
  MalformedEvent,
  ServerEvent,
  UnknownEvent,
} from '../../shared/protocol/realtime-api.ts';
import type { BackendCodec, Backend, BackendStat } from './backend.ts';
import type { ContextCounter } from './context-counter.ts';
import type { GatewayOptions } from './gateway-options.ts';

/** The session around a relay (`ChatRelay` or `DuplexRelay`) to a model server. */
export interface RelayEnvironment {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly settings: SessionSettings;
  readonly clock: Clock;
  readonly codec: BackendCodec;
  readonly context: ContextCounter;
  /** Sends a frame to the model server. */
  readonly send: (frame: string) => void;
  /** Sends an event to the client. */
  readonly emit: (event: Exclude<ServerEvent, UnknownEvent | MalformedEvent>) => void;
  readonly newResponseId: () => string;
  readonly record: (stat: BackendStat) => void;
  readonly onStep?: Backend['onStep'] | undefined;
  readonly onContextFull: () => void;
  /** The server has stopped answering, so the session ends. */
  readonly onSilent: () => void;
}
