import { type AppError, errorMessage } from '../../shared/errors/app-error.ts';
import { englishErrors } from '../../shared/i18n/en/errors.ts';
import { chineseErrors } from '../../shared/i18n/zh/errors.ts';

/** Describes what is wrong with an error's message; undefined if both languages have a proper one. */
export function findMessageFault(error: AppError): string | undefined {
  for (const table of [englishErrors, chineseErrors]) {
    const sentence = errorMessage(error, table);
    if (sentence.trim() === '' || /undefined|\{\{|NaN|\[object/u.test(sentence))
      return `there are no words for ${error.code}: “${sentence}”`;
  }
  return undefined;
}
