const maxLetters = 80;
/** What a name of a file cannot have on one system or another, and what would hide it or end it. */
const forbidden = /[\p{Cc}\p{Cf}\p{Surrogate}"*/:<>?\\|]+/gu;
/** Names that Windows keeps for its devices. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/iu;

/** A title as the name of a file, which every system takes. */
export function fileNameOf(title: string, ending: string): string {
  const name = Array.from(title.replaceAll(forbidden, ' ').replaceAll(/\s+/gu, ' ').trim())
    .slice(0, maxLetters)
    .join('')
    .replace(/^[.\s]+|[.\s]+$/gu, '');
  return `${name === '' || reserved.test(name) ? `Parley ${name}`.trim() : name}.${ending}`;
}
