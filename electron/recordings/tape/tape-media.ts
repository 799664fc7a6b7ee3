import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Files } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json.ts';
import type { TapeSound } from './tape-sound.ts';
import { type MediaReference, tapeLimits } from './tape.ts';

interface Deps {
  readonly files: Pick<Files, 'openToRead'>;
  readonly base64: Base64;
}

/** A small grey JPEG that replaces missing pictures. */
export const missingPicture =
  '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/' +
  '2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAAR' +
  'CAAIAAgDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAA' +
  'AAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==';

/** Restores the media of frames from the files in the folder, and lists files that are missing. */
export function createTapeMedia(
  folder: string,
  sounds: ReadonlyMap<string, TapeSound>,
  { files, base64 }: Deps,
) {
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
    restore: (frame: JsonObject): JsonObject => {
      let remainingBytes: number = tapeLimits.frameBytes;
      const textOf = (reference: MediaReference): string => {
        if ('$sound' in reference) {
          const sound = sounds.get(reference.$sound);
          if (sound === undefined) return '';
          return base64.encode(sound.bytes(reference.from, reference.samples));
        }
        const bytes = readFile(reference.$file, remainingBytes);
        remainingBytes -= bytes?.length ?? 0;
        if (bytes !== undefined) return base64.encode(bytes);
        missing.add(reference.$file);
        return missingPicture;
      };
      return mapMedia(frame, textOf);
    },
    missing: (): readonly string[] => [...missing],
  };
}

/** Media must have a plain file name, so that a tape cannot read files outside its folder. */
const plainName = /^[\w-]+(?:\.[\w-]+)*$/;
const maxNameLength = 100;

/** Lists the media references of a frame in order; fails on invalid ones. */
export function referencesIn(frame: JsonObject): Outcome<readonly MediaReference[]> {
  const found: MediaReference[] = [];
  let firstError: Outcome<never> | undefined;
  mapReferences(frame, (reference) => {
    const read = readReference(reference);
    if (read.ok) found.push(read.value);
    else firstError ??= read;
    return '';
  });
  return firstError ?? { ok: true, value: found };
}

/** Copies a frame and replaces each valid media reference. */
export function mapMedia(
  frame: JsonObject,
  change: (reference: MediaReference) => JsonValue,
): JsonObject {
  const mapped = mapReferences(frame, (reference) => {
    const read = readReference(reference);
    return read.ok ? change(read.value) : reference;
  });
  return isJsonObject(mapped) ? mapped : frame;
}

/** Whether the value is nested deeper than any real frame. */
export function isTooDeep(value: JsonValue, levels: number = tapeLimits.depth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner: JsonValue) => isTooDeep(inner, levels - 1));
}

function mapReferences(value: JsonValue, change: (reference: JsonObject) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapReferences(item, change));
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, '$sound') || Object.hasOwn(value, '$file')) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapReferences(inner, change)]),
  );
}

function readReference(reference: JsonObject): Outcome<MediaReference> {
  const { $sound: sound, $file: file, from, samples } = reference;
  const name = typeof file === 'string' ? file : sound;
  if (typeof name !== 'string') return failure('tapeReferenceBroken');
  if (!isPlainName(name)) return failure('tapeFileOutside', { name: name.slice(0, maxNameLength) });
  if (typeof file === 'string') return { ok: true, value: { $file: file } };
  return isCount(from) && isCount(samples)
    ? { ok: true, value: { $sound: name, from, samples } }
    : failure('tapeReferenceBroken');
}

/** Whether this is a plain name in the tape's folder. */
export function isPlainName(name: string): boolean {
  return name.length <= maxNameLength && plainName.test(name);
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
