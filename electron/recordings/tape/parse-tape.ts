import { joinBytes } from '../../../shared/collections.ts';
import { done, failure, type Outcome, truncateLine } from '../../../shared/errors/app-error.ts';
import type { ReadableFile, Files } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import {
  isJsonObject,
  type JsonObject,
  parseJsonObject,
  type JsonValue,
} from '../../../shared/protocol/json.ts';
import { type Mode, modes } from '../../../shared/protocol/realtime-api.ts';
import {
  type TapeSound,
  type TapeHeader,
  tapeLimits,
  type TapeLine,
  tapeVersion,
  type MediaReference,
} from './tape.ts';

const maxChunkMs = 60_000;

/** Parses the first line and drops unknown fields. */
export function parseTapeHeader(text: string): Outcome<TapeHeader> {
  const found = parseJsonObject(text);
  if (found?.['format'] !== 'parley-tape' || isTooDeep(found)) return failure('tapeOfOthers');
  const { version } = found;
  if (version !== tapeVersion)
    return failure('tapeVersion', { version: truncateLine(JSON.stringify(version) ?? '') });
  const { mode, dialect, chunkMs, settings, endpoint, sound, saved, recordedAt } = found;
  if (!isMode(mode)) return failure('tapeModeless');
  const header: TapeHeader = {
    format: 'parley-tape',
    version: tapeVersion,
    mode,
    dialect: dialect === 'unified' || dialect === 'legacy' ? dialect : 'auto',
    chunkMs: isChunk(chunkMs) ? chunkMs : 1000,
    settings: isJsonObject(settings) ? settings : {},
    endpoint: typeof endpoint === 'string' ? endpoint : '',
    ...(sound === 'float32' || sound === 'pcm16' || sound === 'flac' ? { sound } : {}),
    ...(saved === true ? { saved } : {}),
    recordedAt: typeof recordedAt === 'string' ? recordedAt : '',
  };
  return { ok: true, value: header };
}

function isChunk(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= maxChunkMs;
}

/** Parses a line, in which media stay references. Undefined if it is invalid, `unknown` if a newer version wrote it. */
export function parseTapeLine(text: string): TapeLine | 'unknown' | undefined {
  const found = parseJsonObject(text);
  if (found === undefined) return undefined;
  const { at, dir, connection } = found;
  if (typeof at !== 'number' || typeof dir !== 'string') return undefined;
  const body = parseBody(dir, found);
  if (body === undefined || body === 'unknown') return body;
  return { at, connection: typeof connection === 'number' ? connection : 1, ...body };
}

type Body = TapeLine extends infer Line
  ? Line extends TapeLine
    ? Omit<Line, 'at' | 'connection'>
    : never
  : never;

function parseBody(
  dir: string,
  { frame, text, end, event }: JsonObject,
): Body | 'unknown' | undefined {
  if (dir === 'open') return { dir };
  if (dir === 'end') return isJsonObject(end) ? { dir, end } : undefined;
  if (dir === 'event') return isJsonObject(event) ? { dir, event } : undefined;
  // A newer version may write other lines.
  if (dir !== 'in' && dir !== 'out') return 'unknown';
  if (frame === undefined) return { dir, text: typeof text === 'string' ? text : undefined };
  return isJsonObject(frame) ? { dir, frame } : undefined;
}

function isMode(value: unknown): value is Mode {
  return modes.some((mode) => mode === value);
}

/** Receives each line and returns whether to continue. The last line may be unterminated. */
export type OnLine = (line: Uint8Array, ended: boolean) => boolean;

export const newline = 0x0a;
const blockBytes = 1024 * 1024;

/** Reads a file line by line; memory stays below one block and one line. */
export async function readLines(file: ReadableFile, take: OnLine): Promise<Outcome<undefined>> {
  let parts: readonly Uint8Array[] = [];
  let waiting = 0;
  for (let offset = 0; waiting <= tapeLimits.lineBytes;) {
    const block = await file.read(offset, blockBytes);
    if (!block.ok) return block;
    const bytes = block.value;
    if (bytes.length === 0) break;
    offset += bytes.length;
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      if (!take(joinBytes([...parts, bytes.subarray(start, end)]), true)) return done;
      parts = [];
      waiting = 0;
      start = end + 1;
    }
    // Copies the rest, so that the block itself can be freed.
    if (start < bytes.length) parts = [...parts, bytes.slice(start)];
    waiting += bytes.length - start;
  }
  if (waiting > 0) take(joinBytes(parts), false);
  return done;
}

const chunkBytes = 8192;
const percentCodes = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).padStart(2, '0')}`,
);

/** Decodes UTF-8; undefined if invalid. Each line decodes separately, so a damaged one affects no other. */
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

/** Moves the end back to a character boundary; a character has up to four bytes. */
function endOfChunk(bytes: Uint8Array, start: number): number {
  let end = Math.min(start + chunkBytes, bytes.length);
  for (let back = 0; back < 3 && end < bytes.length && isInnerByte(bytes[end]); back += 1) end -= 1;
  return end;
}

function isInnerByte(byte = 0): boolean {
  return byte >> 6 === 0b10;
}

/** This folder uses no Node API, so it has no TextDecoder; `decodeURIComponent` is the language's own decoder. */
function decodeChunk(chunk: Uint8Array): string {
  if (chunk.every((byte) => byte < 0x80)) return String.fromCharCode(...chunk);
  return decodeURIComponent(Array.from(chunk, (byte) => percentCodes[byte]).join(''));
}

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

/** Whether a file with this name holds a picture, by the names that the recorder gives. The other files hold a voice. */
export function isPictureFile(name: string): boolean {
  return name.startsWith('frame-');
}

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
      const textOf = (reference: MediaReference, key: string): string | undefined => {
        if ('$sound' in reference) {
          const sound = sounds.get(reference.$sound);
          if (sound === undefined) return '';
          return base64.encode(sound.bytes(reference.from, reference.samples));
        }
        const bytes = readFile(reference.$file, remainingBytes);
        remainingBytes -= bytes?.length ?? 0;
        if (bytes !== undefined) return base64.encode(bytes);
        missing.add(reference.$file);
        if (isPictureFile(reference.$file)) return missingPicture;
        // A missing sound gets no placeholder. A message needs the field, so its sound is empty; a voice may be left
        // out.
        return key === 'data' ? '' : undefined;
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

/** Copies a frame and replaces each valid media reference; `change` returns undefined to leave its field out. */
export function mapMedia(
  frame: JsonObject,
  change: (reference: MediaReference, key: string) => JsonValue | undefined,
): JsonObject {
  const mapped = mapReferences(frame, (reference, key) => {
    const read = readReference(reference);
    return read.ok ? change(read.value, key) : reference;
  });
  return isJsonObject(mapped) ? mapped : frame;
}

/** Whether the value is nested deeper than any real frame. */
export function isTooDeep(value: JsonValue, levels: number = tapeLimits.depth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner: JsonValue) => isTooDeep(inner, levels - 1));
}

type ChangeReference = (reference: JsonObject, key: string) => JsonValue | undefined;

function mapReferences(value: JsonValue, change: ChangeReference, key = ''): JsonValue | undefined {
  if (Array.isArray(value))
    return value.flatMap((item: JsonValue) => {
      const mapped = mapReferences(item, change, key);
      return mapped === undefined ? [] : [mapped];
    });
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, '$sound') || Object.hasOwn(value, '$file')) return change(value, key);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const mapped = mapReferences(inner, change, name);
      return mapped === undefined ? [] : [[name, mapped] as const];
    }),
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
