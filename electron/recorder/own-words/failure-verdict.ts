import type { AppError } from '../../../shared/errors/app-error.ts';
import { isCertificateFault } from '../../../shared/errors/error-codes.ts';
import type { ErrorCode } from '../../../shared/errors/error-codes.ts';
import { rootError } from '../../../shared/errors/session-reasons.ts';

/** The server has no room at the moment. */
const busy: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'queueFull',
  'workersBusy',
  'serverNotReady',
  'refusedTooOften',
  'refusedForNow',
]);

/** Neither another phrase nor another try will do better. */
const hopeless: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'noChatInLegacy',
  'notChat',
  'settingsRefused',
  // A minute of silence to a chat: it knows only talks.
  'sessionNotCreated',
  'serverCannotRead',
  'notAllowed',
  'refusedUnknown',
  'refusedForbidden',
  'refusedNotFound',
  'badAddress',
  'notHttp',
  'notTls',
  'notWebSocket',
  'serverGone',
]);

export type FailureVerdict = 'busy' | 'hopeless' | 'again';

/** What is to be made of it that a phrase was not written down. */
export function failureVerdict(error: AppError): FailureVerdict {
  const { code } = rootError(error);
  if (busy.has(code)) return 'busy';
  return hopeless.has(code) || isCertificateFault(code) ? 'hopeless' : 'again';
}
