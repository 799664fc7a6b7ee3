import { createHash } from 'node:crypto';
import type { StartDigest } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';

/**
 * Node's base64. Its decoder skips what it does not know, takes the alphabet of addresses too and
 * looks at the low byte of wide characters only, so what it makes is counted and the rest excluded.
 */
export const bufferBase64: Base64 = {
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
  decode: (text) => {
    if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
    if (Buffer.byteLength(text) !== text.length) return undefined;
    const length = (text.length / 4) * 3 - paddingOf(text);
    // Memory of its own, not a piece of Node's pool: it starts where floats may start.
    const bytes = Buffer.allocUnsafeSlow(length);
    if (bytes.write(text, 'base64') !== length) return undefined;
    return new Uint8Array(bytes.buffer, bytes.byteOffset, length);
  },
};

function paddingOf(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}

/** The machine's own SHA-256: a second of sound takes it far less than a millisecond. */
export const startSha256: StartDigest = () => {
  const hash = createHash('sha256');
  let count = 0;
  return {
    update: (bytes) => {
      hash.update(bytes);
      count += Buffer.byteLength(bytes);
    },
    bytes: () => count,
    hex: () => hash.digest('hex'),
  };
};
