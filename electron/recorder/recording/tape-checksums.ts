import type { StartDigest } from '../../ports/digest.ts';
import type { FileWriter } from '../../ports/files.ts';

/** Of one file, as it was when it was closed. */
export interface FileChecksum {
  readonly bytes: number;
  /** How many of its first bytes were taken last: the length in a WAV file stands there, and is written until the end. */
  readonly headLast: number;
  readonly sha256: string;
}

const noHead = new Uint8Array();

/** The checksums of a tape's files, taken of what is written to them while it is: nothing is read again. */
export class TapeChecksums {
  readonly #start: StartDigest;
  readonly #files = new Map<string, () => FileChecksum>();

  constructor(start: StartDigest) {
    this.#start = start;
  }

  /** The same file, with all that is written to it counted. What a sound file begins with may be written again. */
  watch(name: string, kind: 'text' | 'sound', file: FileWriter): FileWriter {
    const digest = this.#start();
    let head: Uint8Array | undefined = kind === 'text' ? noHead : undefined;
    this.#files.set(name, () => {
      const { length: headLast } = head ?? noHead;
      digest.update(head ?? noHead);
      return { bytes: digest.bytes(), headLast, sha256: digest.hex() };
    });
    return {
      ...file,
      append: (bytes) => {
        if (head === undefined && typeof bytes !== 'string') head = bytes.slice();
        else digest.update(bytes);
        file.append(bytes);
      },
      writeAt: (offset, bytes) => {
        if (head !== undefined && offset + bytes.length <= head.length) head.set(bytes, offset);
        else this.forget(name);
        file.writeAt(offset, bytes);
      },
    };
  }

  /** A file that is written once and whole. */
  whole(name: string, bytes: Uint8Array): void {
    const digest = this.#start();
    digest.update(bytes);
    const checksum = { bytes: bytes.length, headLast: 0, sha256: digest.hex() };
    this.#files.set(name, () => checksum);
  }

  /** Something could not be written to it: nobody knows what stands there now. */
  forget(name: string): void {
    this.#files.delete(name);
  }

  /** What stands beside the tape; once, when everything was written. */
  text(): string {
    const files = Object.fromEntries([...this.#files].map(([name, result]) => [name, result()]));
    return `${JSON.stringify({ format: 'parley-checksums', version: 1, files }, null, 1)}\n`;
  }
}
