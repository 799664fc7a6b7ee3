import type { AppError } from '../../../../shared/errors/app-error.ts';
import { isCertificateFault } from '../../../../shared/errors/error-codes.ts';
import { rootError } from '../../../../shared/errors/session-reasons.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';

/** What went wrong with a session, and the options that only a command has. */
export function sessionMessage(error: AppError): string {
  const message = englishErrorMessage(error);
  if (!isCertificateFault(rootError(error).code)) return message;
  return `${message} Trust it with --fingerprint, or take any certificate with --insecure.`;
}
