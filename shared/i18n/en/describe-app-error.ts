import type { AppError } from '../../errors/app-error.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { englishErrors } from './errors.ts';

/** In English, for the terminal. */
export function englishErrorMessage(error: AppError): string {
  return errorMessage(error, englishErrors);
}

/** With what is technical behind it, for the log. */
export function describeAppError(error: AppError): string {
  const message = englishErrorMessage(error);
  const details = detailsOf(error).filter((detail) => !message.includes(detail));
  return details.length === 0 ? message : `${message} (${details.join('; ')})`;
}

function detailsOf({ detail, cause }: AppError): readonly string[] {
  const earlier = cause === undefined ? [] : detailsOf(cause);
  return detail === undefined ? earlier : [...earlier, detail];
}
