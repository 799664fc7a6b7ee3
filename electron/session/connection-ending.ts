import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { refusedError, sessionError, shortened } from '../../shared/errors/session-reasons.ts';
import { maxServerMessageBytes } from '../../shared/protocol/protocol-limits.ts';
import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import { oversizeReason } from '../ports/sockets.ts';
import type { SocketEnd } from '../ports/sockets.ts';
import { endedByServerError, failedEnding } from './session-ending.ts';
import type { SessionEnding } from './session-ending.ts';
import type { SessionContext } from './session-state.ts';
import { errorExplainsCloseMs } from './session-timeouts.ts';

/** The connection has ended by itself, without the session's end being announced on it. */
export function endedByConnection(
  end: SocketEnd,
  context: Pick<SessionContext, 'lastError' | 'mode'>,
  at: number,
): SessionEnding {
  switch (end.kind) {
    case 'refused':
      return failedEnding(refusedError(end.status, end.body));
    case 'unreachable': {
      const ending = failedEnding(end.error, 'network');
      return end.lasting ? { ...ending, lasting: true } : ending;
    }
    case 'closed':
      if (end.code === 1006) return failedEnding(appError('connectionLost'), 'network');
      return explainedByLastError(context, at) ?? failedEnding(closeError(end, context.mode));
  }
}

function explainedByLastError(
  { lastError }: Pick<SessionContext, 'lastError'>,
  at: number,
): SessionEnding | undefined {
  if (lastError === undefined || at - lastError.at > errorExplainsCloseMs) return undefined;
  return endedByServerError(lastError.code, lastError.message);
}

type ClosedSocket = Extract<SocketEnd, { kind: 'closed' }>;

/** By the code of the close; its reason is the server's own words. */
function closeError({ code, reason }: ClosedSocket, mode: Mode): AppError {
  const said = { detail: shortened(reason) };
  switch (code) {
    case 1000:
      return reason === '' ? appError('closedSilently') : sessionError(reason, reason);
    case 1001:
    case 1012:
      return appError('serverLeaving', {}, said);
    case 1003:
      return appError('serverCannotRead', {}, said);
    case 1008:
      return appError('notAllowed', {}, said);
    case 1009:
      return reason === oversizeReason
        ? appError('serverMessageTooLarge', { megabytes: maxServerMessageBytes[mode] / 2 ** 20 })
        : appError('messageTooLarge', {}, said);
    case 1011:
      return appError('serverFailed', {}, said);
    case 1013:
      return sessionError(busyReason(reason), reason);
    default:
      return reason === '' ? appError('closedWithCode', { code }) : sessionError(reason, reason);
  }
}

/** With 1013 the error event may be missing, and the reason of the close is all there is. */
function busyReason(reason: string): string {
  if (/queue/iu.test(reason)) return 'queue_full';
  if (/connect/iu.test(reason)) return 'worker_connect_failed';
  return /busy|worker/iu.test(reason) ? 'worker_busy' : 'service_unavailable';
}
