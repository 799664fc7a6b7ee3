import type { TFunction } from 'i18next';

/** Joins two sentences: English puts a space between them, Chinese does not. */
export function joinSentences(t: TFunction, first: string, second: string | undefined): string {
  return second === undefined ? first : t('shell.sentences', { first, second });
}
