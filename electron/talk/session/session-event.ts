import { type AppError, appError } from '../../../shared/errors/app-error.ts';
import { sessionError } from '../../../shared/errors/session-reasons.ts';
import type { DialectName, Mode } from '../../../shared/protocol/realtime-api.ts';
import type { Metrics } from '../../../shared/protocol/server-event.ts';
import type { TalkEnding } from '../../../shared/talk/talk-state.ts';

/** The states a session goes through, by name; the state itself holds more. */
export type SessionPhase = 'connecting' | 'queued' | 'configuring' | 'live' | 'closing' | 'closed';

/** What a session emits, for whoever shows or records it. */
export type SessionEvent =
  | { readonly event: 'state'; readonly state: SessionPhase }
  | {
      readonly event: 'queue';
      readonly position?: number | undefined;
      readonly length?: number | undefined;
      readonly etaSeconds?: number | undefined;
      /** The server's name for our place, where it gives one. */
      readonly ticket?: string | undefined;
    }
  | {
      readonly event: 'session';
      readonly id: string;
      readonly dialect: DialectName;
      /** The backend's own mode, such as `full_duplex`. */
      readonly runtimeMode?: string | undefined;
      /** Tokens that what the model was told takes of its context. */
      readonly promptLength?: number | undefined;
    }
  | {
      readonly event: 'sent';
      readonly inputId: string;
      readonly samples: number;
      readonly frames: number;
      readonly forceListen: boolean;
      /** How long the cap held it back, where it did. */
      readonly waitedMs?: number;
    }
  /** Microphone samples that were never sent, because the server did not keep up. */
  | { readonly event: 'dropped'; readonly samples: number }
  | { readonly event: 'text'; readonly turn: number; readonly text: string }
  | { readonly event: 'audio'; readonly turn: number; readonly audio: Float32Array }
  /** The turn is complete: what is still queued of its sound is to be played out. */
  | { readonly event: 'turnEnded'; readonly turn: number }
  /** The model listens; `yields` when that cuts a turn short, so that its sound must stop. */
  | { readonly event: 'listen'; readonly yields: boolean }
  | { readonly event: 'done'; readonly text: string; readonly reason: string }
  | {
      readonly event: 'metrics';
      readonly metrics: Metrics;
      readonly roundTripMs?: number | undefined;
    }
  | {
      readonly event: 'error';
      readonly error: AppError;
      readonly fatal: boolean;
      /** Whose fault the server says it is: `client_error` or `server_error`. */
      readonly type?: string | undefined;
    }
  /** An event that this version does not know. */
  | { readonly event: 'unknown'; readonly type: string }
  | ({ readonly event: 'closed' } & SessionEnding);

/** How a session ended; emitted as `closed`. */
export interface SessionEnding extends TalkEnding {
  /** It stays so until the endpoint is changed, a certificate not trusted for one. */
  readonly lasting?: true;
}

/** Asked for by us. */
export function userEnding(mode: Mode): SessionEnding {
  const error = appError(mode === 'chat' ? 'answerDone' : 'endedByPerson');
  return { error, by: 'client', orderly: true };
}

export function failedEnding(error: AppError, by: SessionEnding['by'] = 'server'): SessionEnding {
  return { error, by, orderly: false };
}

/** The server has announced the end of the session, with a reason. */
export function endedByServer(reason: string, diagnostic?: string): SessionEnding {
  const orderly = reason === 'timeout' || reason === 'context_full';
  return { error: sessionError(reason, diagnostic), by: 'server', orderly };
}

/** The server has sent an error after which no session can go on. */
export function endedByServerError(code: string, message: string): SessionEnding {
  return failedEnding(sessionError(code, message));
}
