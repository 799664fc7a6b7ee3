import type { Base64 } from '../../../shared/protocol/base64.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import type { Files } from '../../ports/files.ts';
import { replaceReferences } from './media-references.ts';
import { tapeLimits } from './tape-limits.ts';
import type { TapeSound } from './tape-sound.ts';
import type { MediaReference } from './tape.ts';

interface Deps {
  readonly files: Pick<Files, 'openToRead'>;
  readonly base64: Base64;
}

/** What a tape's frames refer to, read when it is wanted. */
export interface TapeMedia {
  /** The frame as it was on the wire. */
  readonly restore: (frame: JsonObject) => JsonObject;
  /** The names of those that were wanted and could not be read. */
  readonly missing: () => readonly string[];
}

/** A small grey JPEG in the place of a picture that is missing, so that all else plays on. */
export const missingPicture =
  '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/' +
  '2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAAR' +
  'CAAIAAgDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAA' +
  'AAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==';

export function createTapeMedia(
  folder: string,
  sounds: ReadonlyMap<string, TapeSound>,
  { files, base64 }: Deps,
): TapeMedia {
  const missing = new Set<string>();

  const readFile = (name: string, maxBytes: number): Uint8Array | undefined => {
    const file = files.openToRead(`${folder}/${name}`);
    if (!file.ok) return undefined;
    const { size } = file.value;
    const bytes = size > 0 && size <= maxBytes ? file.value.readNow(0, size) : undefined;
    file.value.close();
    return bytes?.ok === true && bytes.value.length === size ? bytes.value : undefined;
  };

  return {
    restore: (frame) => {
      let room: number = tapeLimits.frameBytes;
      const textOf = (reference: MediaReference): string => {
        if ('$sound' in reference) {
          const sound = sounds.get(reference.$sound);
          if (sound === undefined) return '';
          return base64.encode(sound.bytes(reference.from, reference.samples));
        }
        const bytes = readFile(reference.$file, room);
        room -= bytes?.length ?? 0;
        if (bytes !== undefined) return base64.encode(bytes);
        missing.add(reference.$file);
        return missingPicture;
      };
      return replaceReferences(frame, textOf);
    },
    missing: () => [...missing],
  };
}
