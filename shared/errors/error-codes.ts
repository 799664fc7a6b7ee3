import {
  chatErrors,
  desktopErrors,
  gatewayErrors,
  remoteErrors,
  replayErrors,
  requestErrors,
  talkErrors,
} from './request-error-codes.ts';
import { historyErrors } from './history-error-codes.ts';
import { globalKeyErrors } from './global-key-error-codes.ts';
import { proxyErrors } from './proxy-error-codes.ts';
import { updateErrors } from './update-error-codes.ts';
import { deviceErrors, mediaErrors, soundErrors, voiceErrors } from './device-error-codes.ts';
import {
  answerErrors,
  certificateErrors,
  lineErrors,
  sessionErrors,
  verdictErrors,
} from './session-error-codes.ts';
import {
  addressErrors,
  fileErrors,
  serverErrors,
  settingsErrors,
  tapeErrors,
} from './storage-error-codes.ts';

/** Every code with its facts. Each has its sentence in `shared/i18n/<language>`. */
export const errorCodes = {
  ...lineErrors,
  ...proxyErrors,
  ...sessionErrors,
  ...certificateErrors,
  ...verdictErrors,
  ...answerErrors,
  ...deviceErrors,
  ...soundErrors,
  ...mediaErrors,
  ...voiceErrors,
  ...globalKeyErrors,
  ...updateErrors,
  ...fileErrors,
  ...tapeErrors,
  ...addressErrors,
  ...serverErrors,
  ...settingsErrors,
  ...historyErrors,
  ...requestErrors,
  ...talkErrors,
  ...replayErrors,
  ...chatErrors,
  ...gatewayErrors,
  ...desktopErrors,
  ...remoteErrors,
};

export type ErrorCode = keyof typeof errorCodes;

export type CertificateFault = keyof typeof certificateErrors;
export type SessionErrorCode = keyof typeof sessionErrors;

/** Of these the detail is what the server itself said, and is shown behind the sentence. */
const saidByServer: ReadonlySet<string> = new Set(
  [sessionErrors, verdictErrors, answerErrors].flatMap((codes) => Object.keys(codes)),
);

export function isCertificateFault(code: ErrorCode): code is CertificateFault {
  return Object.hasOwn(certificateErrors, code);
}

export function isDetailFromServer(code: ErrorCode): boolean {
  // What cannot be read is described by Parley, for the log.
  return saidByServer.has(code) && code !== 'eventUnreadable';
}
