import { failure, type Outcome } from '../errors/app-error.ts';
import { sanitizeLine } from '../sanitize-text.ts';
import { maxSentenceLength } from './memory-view.ts';

/** Invisible characters, except the joiners that Persian and emoji need. */
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Co}\p{Cn}]/gu;
/** A lone half of a surrogate pair. */
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Returns one line of visible text. It has no row of dashes, because such rows enclose the memory in the instructions. */
export function cleanSentence(text: string): string {
  // Cleans only the beginning, because a page or model can send megabytes. `readSentence` refuses such a text anyway.
  const limited = text.slice(0, maxSentenceLength * 8);
  return sanitizeLine(limited.replaceAll(loneSurrogate, ''))
    .replaceAll(invisible, '')
    .replaceAll(/-{3,}/gu, '—')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Cleans a sentence, or says why it cannot be remembered. */
export function readSentence(text: string): Outcome<string> {
  const line = cleanSentence(text);
  if (!/[\p{L}\p{N}]/u.test(line)) return failure('memoryEmpty');
  return line.length > maxSentenceLength
    ? failure('memoryLong', { most: maxSentenceLength })
    : { ok: true, value: line };
}
