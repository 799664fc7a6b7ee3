const chunkBytes = 8192;
const coded = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, '0')}`);

/** The text of UTF-8 bytes, or nothing where they are none: one line that is cut within a letter spoils no other. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  let text = '';
  try {
    for (let start = 0; start < bytes.length;) {
      const end = endOfChunk(bytes, start);
      text += decodeChunk(bytes.subarray(start, end));
      start = end;
    }
    return text;
  } catch {
    return undefined;
  }
}

/** Not within a letter, which has four bytes at most. */
function endOfChunk(bytes: Uint8Array, start: number): number {
  let end = Math.min(start + chunkBytes, bytes.length);
  for (let back = 0; back < 3 && end < bytes.length && isInnerByte(bytes[end]); back += 1) end -= 1;
  return end;
}

function isInnerByte(byte = 0): boolean {
  return byte >> 6 === 0b10;
}

/** The language itself decodes UTF-8 only where it stands in addresses. */
function decodeChunk(chunk: Uint8Array): string {
  if (chunk.every((byte) => byte < 0x80)) return String.fromCharCode(...chunk);
  return decodeURIComponent(Array.from(chunk, (byte) => coded[byte]).join(''));
}
