import { createHash } from 'node:crypto';
import type { StartDigest } from '../../ports/digest.ts';

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
