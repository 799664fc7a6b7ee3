import type { AppError } from '../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';
import type { Files } from '../../../shared/ports/files.ts';
import type { SocketEnd } from '../../../shared/ports/sockets.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonObject,
} from '../../../shared/protocol/json.ts';
import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import {
  type WavWriter,
  defaultCoding,
  type MediaReference,
  type TapeHeader,
  losslessCoding,
} from '../tape/tape.ts';
import type { TapeChecksums } from '../tape/tape-checksums.ts';
import type { TapeEntry } from './tape-recorder.ts';

type WireLine = { readonly dir: 'in' | 'out' } & (
  | { readonly frame: JsonObject }
  | { readonly text?: string }
);

type WrittenLine =
  | WireLine
  | { readonly dir: 'open' }
  | { readonly dir: 'end'; readonly end: JsonObject }
  | { readonly dir: 'event'; readonly event: TapeEvent };

/** Converts an entry to a line and moves its media to files. */
export function toWrittenLine(entry: TapeEntry, storeMedia: StoreMedia): WrittenLine {
  switch (entry.dir) {
    case 'open':
      return { dir: 'open' };
    case 'end':
      return { dir: 'end', end: endForTape(entry.end) };
    case 'event':
      return { dir: 'event', event: entry.event };
    case 'in':
    case 'out': {
      const { dir, text } = entry;
      return text === undefined ? { dir } : wireLine(dir, text, storeMedia);
    }
  }
}

function wireLine(dir: 'in' | 'out', text: string, storeMedia: StoreMedia): WireLine {
  try {
    const frame = parseJsonObject(text);
    // Text that a reader would take for a media reference stays text.
    if (frame === undefined || containsMediaReference(frame)) return { dir, text };
    return { dir, frame: extractFromObject(frame, storeMedia) };
  } catch {
    // The frame is nested too deeply to walk.
    return { dir, text };
  }
}

function endForTape(end: SocketEnd): JsonObject {
  if (end.kind === 'closed') return { ...end };
  if (end.kind === 'refused') return { ...end, body: redactEndpoints(end.body) };
  return { kind: end.kind, problem: redactEndpoints(englishErrorMessage(end.error)) };
}

/** Copies known fields only, so that nothing else reaches the tape. */
export function headerForTape(header: TapeHeader): TapeHeader {
  const { instructions, generation, maxSlices } = header.settings;
  const sound = losslessCoding(header.sound);
  return {
    format: header.format,
    version: header.version,
    mode: header.mode,
    dialect: header.dialect,
    chunkMs: header.chunkMs,
    settings: { instructions, generation, maxSlices },
    endpoint: redactEndpoint(header.endpoint),
    ...(sound === defaultCoding ? {} : { sound }),
    ...(header.saved === true ? { saved: true } : {}),
    recordedAt: header.recordedAt,
  };
}

/** Keeps scheme, host and path: user, query and fragment can hold secrets. */
function redactEndpoint(address: string): string {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)([^?#]*)/i.exec(address);
  if (parts === null) return address.split(/[?#]/, 1)[0] ?? '';
  const [, scheme = '', authority = '', path = ''] = parts;
  return `${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}${path}`;
}

function redactEndpoints(text: string): string {
  return text.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, redactEndpoint);
}

type MediaKind = 'sound' | 'frame' | 'voice';

/** Stores base64 and returns its reference. Undefined if the text cannot be restored exactly, or sound is not whole floats. */
export type StoreMedia = (kind: MediaKind, base64: string) => MediaReference | undefined;

/** Whether the frame already contains something that looks like a media reference. */
function containsMediaReference(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(containsMediaReference);
  if (!isJsonObject(value)) return false;
  if ('$sound' in value || '$file' in value) return true;
  return Object.values(value).some(containsMediaReference);
}

const kinds: Readonly<Record<string, MediaKind>> = {
  audio: 'sound',
  ref_audio: 'voice',
  tts_ref_audio: 'voice',
  ref_audio_base64: 'voice',
  tts_ref_audio_base64: 'voice',
  ref_audio_data: 'voice',
};

const partKinds: Readonly<Record<string, MediaKind>> = { image: 'frame', audio: 'voice' };

/** Replaces media in a frame with references. Values that cannot be decoded stay text. */
function extractFromObject(object: JsonObject, storeMedia: StoreMedia): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      const kind = mediaKind(object, key);
      return [
        key,
        kind === undefined ? extractFrom(value, storeMedia) : extract(kind, value, storeMedia),
      ];
    }),
  );
}

function mediaKind(object: JsonObject, key: string): MediaKind | undefined {
  if (key === 'video_frames') return 'frame';
  if (key !== 'data') return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
  const { type } = object;
  return typeof type === 'string' && Object.hasOwn(partKinds, type) ? partKinds[type] : undefined;
}

function extract(kind: MediaKind, value: JsonValue, storeMedia: StoreMedia): JsonValue {
  if (typeof value === 'string') return storeMedia(kind, value) ?? value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => extract(kind, item, storeMedia));
  return extractFrom(value, storeMedia);
}

function extractFrom(value: JsonValue, storeMedia: StoreMedia): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => extractFrom(item, storeMedia));
  return isJsonObject(value) ? extractFromObject(value, storeMedia) : value;
}

export interface SoundTrack {
  readonly name: string;
  readonly sound: Pick<WavWriter, 'write' | 'samplesWritten'>;
}

interface TapeMediaWriterDeps {
  readonly folder: string;
  readonly files: Files;
  readonly base64: Base64;
  readonly checksums: TapeChecksums | undefined;
  readonly onError: (error: AppError) => void;
}

/** Writes the media of frames: sound to a track, pictures and voices to a file each. */
export class TapeMediaWriter {
  readonly #deps: TapeMediaWriterDeps;
  readonly #counts = { frame: 0, voice: 0 };
  readonly #voices = new Map<string, string>();
  readonly #writing = new Set<Promise<void>>();

  constructor(deps: TapeMediaWriterDeps) {
    this.#deps = deps;
  }

  /** Sends sound to this track, and other media to separate files. */
  storeInto(track: SoundTrack): StoreMedia {
    const { base64 } = this.#deps;
    return (kind, text) => {
      const bytes = base64.decode(text);
      // Only base64 that re-encodes to the same text can be restored.
      if (bytes === undefined || bytes.length === 0 || base64.encode(bytes) !== text)
        return undefined;
      return kind === 'sound' ? putSound(track, bytes) : this.#putFile(kind, text, bytes);
    };
  }

  async settle(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #putFile(kind: 'frame' | 'voice', text: string, bytes: Uint8Array): MediaReference {
    // Each connection attempt sends the same voice again.
    const known = kind === 'voice' ? this.#voices.get(text) : undefined;
    if (known !== undefined) return { $file: known };
    const count = (this.#counts[kind] += 1);
    const number = kind === 'frame' ? String(count).padStart(4, '0') : count;
    const name = `${kind}-${number}.${extensionOf(bytes)}`;
    if (kind === 'voice') this.#voices.set(text, name);
    const written = this.#writeWhole(name, bytes).finally(() => this.#writing.delete(written));
    this.#writing.add(written);
    return { $file: name };
  }

  async #writeWhole(name: string, bytes: Uint8Array): Promise<void> {
    const { folder, files, checksums, onError } = this.#deps;
    const fail = (error: AppError): void => {
      checksums?.forget(name);
      onError(error);
    };
    checksums?.addContent(name, bytes);
    const file = await files.create(`${folder}/${name}`, fail);
    if (!file.ok) {
      fail(file.error);
      return;
    }
    file.value.append(bytes);
    await file.value.close();
  }
}

function putSound(track: SoundTrack, bytes: Uint8Array): MediaReference | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const from = track.sound.samplesWritten;
  // The decoder's bytes may be unaligned for floats, so this copies them.
  track.sound.write(new Float32Array(bytes.slice().buffer));
  return { $sound: track.name, from, samples: bytes.length / 4 };
}

const signatures: readonly (readonly [string, readonly number[]])[] = [
  ['jpg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['wav', [0x52, 0x49, 0x46, 0x46]],
];

function extensionOf(bytes: Uint8Array): string {
  const found = signatures.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  return found?.[0] ?? 'bin';
}
