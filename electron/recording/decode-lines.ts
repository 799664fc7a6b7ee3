const newline = 0x0a;
const percent = 0x25;

/**
 * The lines of a UTF-8 file, each decoded by itself: one that is cut in the middle of a letter must
 * not spoil the others. What cannot be decoded becomes a line that is no JSON.
 */
export function decodeLines(bytes: Uint8Array): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start <= bytes.length;) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    lines.push(decodeUtf8(bytes.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}

/** The language itself decodes UTF-8 only where it stands in addresses. */
function decodeUtf8(bytes: Uint8Array): string {
  const coded = Array.from(bytes, (byte) =>
    byte < 0x80 && byte !== percent ? String.fromCharCode(byte) : `%${byte.toString(16)}`,
  );
  try {
    return decodeURIComponent(coded.join(''));
  } catch {
    return '\uFFFD';
  }
}
