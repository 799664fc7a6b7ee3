import { english } from './en/english.ts';
import { chinese } from './zh/chinese.ts';

/** Every language that Parley is written in, in the order in which they are offered. */
export const languages = {
  en: english,
  zh: chinese,
};

/** A language by its BCP 47 subtag, which numbers and dates are written by, too. */
export type Language = keyof typeof languages;

export const languageIds = Object.keys(languages) as readonly Language[];
