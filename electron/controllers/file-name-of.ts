const maxLetters = 80;
/** Disks count bytes, and take 255 of them: with the ending, and what stands around the name of a draft. */
const maxBytes = 200;
/** What a name of a file cannot have on one system or another, and what would hide it or end it. */
const forbidden = /[\p{Cc}\p{Cf}\p{Surrogate}"*/:<>?\\|]+/gu;
/** Names that Windows keeps for its devices, whatever they end in. */
const reserved = /^(?:con|conin\$|conout\$|clock\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/iu;

/** A title as the name of a file, which every system takes. */
export function fileNameOf(title: string, ending: string): string {
  const name = shortened(title.replaceAll(forbidden, ' ').replaceAll(/\s+/gu, ' ').trim()).replace(
    /^[.\s]+|[.\s]+$/gu,
    '',
  );
  return `${name === '' || reserved.test(name) ? `Parley ${name}`.trim() : name}.${ending}`;
}

/** As many whole letters as fit. */
function shortened(text: string): string {
  let bytes = 0;
  const letters = Array.from(text).slice(0, maxLetters);
  const end = letters.findIndex((letter) => (bytes += bytesOf(letter)) > maxBytes);
  return letters.slice(0, end === -1 ? maxLetters : end).join('');
}

/** In UTF-8. */
function bytesOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  return code < 0x1_00_00 ? 3 : 4;
}
