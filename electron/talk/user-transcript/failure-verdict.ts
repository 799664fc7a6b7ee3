import {
  type AppError,
  type ErrorCode,
  isCertificateFault,
  rootError,
} from '../../../shared/errors/app-error.ts';

/** The server has no free worker at the moment. */
const busyCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'queueFull',
  'workersBusy',
  'serverNotReady',
  'refusedTooOften',
  'refusedForNow',
]);

/** Errors that another phrase or another try would meet, too. */
const permanentCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'noChatInLegacy',
  'notChat',
  'settingsRefused',
  // Servers that support only talks accept the chat connection, but never create the session.
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

export type FailureVerdict = 'busy' | 'permanent' | 'retry';

/** Whether a question that failed should wait for a free worker, be given up, or be asked again. */
export function failureVerdict(error: AppError): FailureVerdict {
  const { code } = rootError(error);
  if (busyCodes.has(code)) return 'busy';
  return permanentCodes.has(code) || isCertificateFault(code) ? 'permanent' : 'retry';
}
