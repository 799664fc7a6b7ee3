import { createHash } from 'node:crypto';
import type { StartDigest } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';

/** Base64 through Node's Buffer. Node skips or truncates invalid characters and accepts the URL alphabet, so this checks the text. */
export const bufferBase64: Base64 = {
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
  decode: (text) => {
    if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
    if (Buffer.byteLength(text) !== text.length) return undefined;
    const length = (text.length / 4) * 3 - countPadding(text);
    // The buffer does not come from Node's pool, so that it is aligned for floats.
    const bytes = Buffer.allocUnsafeSlow(length);
    if (bytes.write(text, 'base64') !== length) return undefined;
    return new Uint8Array(bytes.buffer, bytes.byteOffset, length);
  },
};

function countPadding(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}

/** SHA-256 through Node's crypto. A second of sound takes far less than a millisecond. */
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
