import { type AppError, appError, sessionError } from '../../../shared/errors/app-error.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import type { DialectName, Mode, Metrics } from '../../../shared/protocol/realtime-api.ts';
import type { TalkEnding } from '../../../shared/talk/talk-view.ts';

export type SessionPhase = 'connecting' | 'queued' | 'configuring' | 'live' | 'closing' | 'closed';

export type SessionEvent =
  | { readonly event: 'state'; readonly state: SessionPhase }
  | {
      readonly event: 'queue';
      readonly position?: number | undefined;
      readonly length?: number | undefined;
      readonly etaSeconds?: number | undefined;
      /** The server's id of our place, if it gives one. */
      readonly ticket?: string | undefined;
    }
  | {
      readonly event: 'session';
      readonly id: string;
      readonly dialect: DialectName;
      /** The backend's own mode, such as `full_duplex`. */
      readonly runtimeMode?: string | undefined;
      /** Context tokens of the instructions. */
      readonly promptLength?: number | undefined;
      /** The server takes tools in talks; a later session can send them. */
      readonly takesTools?: true | undefined;
      /** Tools were sent, so the model may call them. */
      readonly callsTools?: true | undefined;
    }
  /** The model calls a tool; without `ask`, it gives the call up. */
  | {
      readonly event: 'toolCall';
      readonly call: string;
      readonly ask?: { readonly name: string; readonly args: JsonObject } | undefined;
    }
  | {
      readonly event: 'sent';
      readonly inputId: string;
      readonly samples: number;
      readonly frames: number;
      readonly forceListen: boolean;
      /** How long the append waited because too many earlier ones were unanswered, if it did. */
      readonly waitedMs?: number;
    }
  /**
   * Microphone samples that were never sent, because the server does not keep up (`slow`) or the session was paused, by
   * the user or for a hand-over. The uplink of a talk passes those of a pause again.
   */
  | { readonly event: 'dropped'; readonly samples: number; readonly reason: 'slow' | 'paused' }
  | { readonly event: 'text'; readonly turn: number; readonly text: string }
  | { readonly event: 'audio'; readonly turn: number; readonly audio: Float32Array }
  /** The turn is complete. Its queued sound still plays out. */
  | { readonly event: 'turnEnded'; readonly turn: number }
  /** The model listens; `yields` means that this cuts a turn, so its sound must stop. */
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
      /** Whom the server blames: `client_error` or `server_error`. */
      readonly type?: string | undefined;
    }
  | { readonly event: 'unknown'; readonly type: string }
  | ({ readonly event: 'closed' } & SessionEnding);

export interface SessionEnding extends TalkEnding {
  /** A retry probably fails until the user changes the endpoint, for example after an untrusted certificate. */
  readonly lasting?: true;
}

export function userEnding(mode: Mode): SessionEnding {
  const error = appError(mode === 'chat' ? 'answerDone' : 'endedByPerson');
  return { error, by: 'client', orderly: true };
}

export function failedEnding(error: AppError, by: SessionEnding['by'] = 'server'): SessionEnding {
  return { error, by, orderly: false };
}

/** The server announced the session's end with a reason. */
export function endedByServer(reason: string, diagnostic?: string): SessionEnding {
  const orderly = reason === 'timeout' || reason === 'context_full';
  return { error: sessionError(reason, diagnostic), by: 'server', orderly };
}

/** The server reported an error that ends the session. */
export function endedByServerError(code: string, message: string): SessionEnding {
  return failedEnding(sessionError(code, message));
}
