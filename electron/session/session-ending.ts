import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { sessionError } from '../../shared/errors/session-reasons.ts';
import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';

/** How a session ended; emitted as `closed`. */
export interface SessionEnding {
  /** What it ended for, also where that is as it should be. */
  readonly error: AppError;
  readonly by: 'client' | 'server' | 'network';
  /** Whether it ended as it should: asked for by us, or a documented limit was reached. */
  readonly orderly: boolean;
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
