import type { Socket, SocketListener } from '../../shared/ports/sockets.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';

/** A load of the model, before a session of another mode can begin. */
export interface BackendPreparation {
  /** The remaining time; undefined if it is unknown. */
  readonly etaSeconds: () => number | undefined;
  /** Resolves at the end of the load. After a failed load, the session's connection fails too. */
  readonly done: Promise<unknown>;
}

/** A model server (`llama-omni-server` or the PyTorch backend) that runs one session at a time. */
export interface Backend {
  /** Shown in logs, status and metrics: the address without secrets. */
  readonly name: string;
  readonly serves: 'both' | 'chat' | 'duplex';
  /** Loads the model for this mode, between two sessions. Undefined if a session would begin at once. */
  readonly prepare?: (mode: Mode) => BackendPreparation | undefined;
  /** Opens the WebSocket at `/backend`. */
  readonly connect: (listener: SocketListener) => Socket;
  /** Ends a session by `POST /sessions/{id}/close`. Resolves to false if the server did not do it in time. */
  readonly closeSession: (sessionId: string, reason: string) => Promise<boolean>;
  /** Gets the time of each answered step of a duplex session, from its append to its answer. */
  readonly onStep?: (milliseconds: number, hasPicture: boolean) => void;
  /** Asks `GET /health`. */
  readonly isHealthy: () => Promise<boolean>;
}

/** A report about a session's model server, for metrics. Sent once per step, session, error or ignored frame. */
export type BackendStat =
  /** The server created the session `ms` after the connection was opened. */
  | { readonly kind: 'created'; readonly ms: number }
  /** A step took `ms` from its append to its answer; a silent step brought none in time. */
  | { readonly kind: 'step'; readonly ms: number; readonly isSilent: boolean }
  /** An append was joined with the next, or dropped, because the server is slower than the client. */
  | { readonly kind: 'late'; readonly what: 'joined' | 'dropped' }
  /** A documented error code, such as `backend_error`. */
  | { readonly kind: 'error'; readonly code: string }
  /** A frame that is no event, or an event that this version does not know. */
  | { readonly kind: 'ignored'; readonly what: 'malformed' | 'unknown' }
  | { readonly kind: 'ended' };
