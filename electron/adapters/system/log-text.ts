import { harmlessLine } from '../../../shared/harmless-text.ts';

/** Whoever mends Parley needs no more of one entry. */
const maxLength = 4000;

/** A message as one line that nothing in it can break, forge or fill, and without what is secret in it. */
export function logText(message: string): string {
  const line = withoutSecrets(harmlessLine(message, maxLength * 2));
  return line.length > maxLength ? `${line.slice(0, maxLength)}… (${message.length})` : line;
}

/** No caller writes a secret; what a library quotes of an address or a header is taken out here. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/(?<=\b[a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/gi, '…@')
    .replaceAll(/(?<=\b[a-z][a-z\d+.-]*:\/\/[^\s?#]*)[?#][^\s)'"]*/gi, '?…')
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, '$1 …')
    .replaceAll(
      /\b(token|api[-_]?key|authorization|password|secret)(["']?\s*[:=]\s*["']?)(?!bearer |basic )[^\s"',;)]+/gi,
      '$1$2…',
    );
}
