import {
  type WavEncoding,
  decodeSamples,
  readWavHeader,
  type WavFormat,
  encodeSamples,
  encodeWavHeader,
} from '../../../shared/audio/wav.ts';
import { type AppError, done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Files, FileWriter, ReadableFile } from '../../../shared/ports/files.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import {
  type SessionSettings,
  type DialectName,
  type Mode,
  outputRate,
} from '../../../shared/protocol/realtime-api.ts';
import { FlacTrack } from '../flac/flac-decoder.ts';
import { flacHeaderBytes, readFlacHeader } from '../flac/flac-format.ts';

export const tapeFiles = {
  /** The header, then one line per entry, in order. */
  lines: 'tape.ndjson',
  /** All microphone sound sent, 16 kHz mono. */
  microphone: 'microphone.wav',
  /** All answer sound received, 24 kHz mono. */
  answer: 'answer.wav',
  /** Both voices in real time, for listening only. 24 kHz, 16 bit; left the user, right what was heard. */
  stereo: 'both.wav',
  /** Shows whether other files changed; written at the close. */
  checksums: 'checksums.json',
} as const;

/**
 * `float32` is exactly what the wire carried; `pcm16` rounds it to 16 bits. Older versions wrote `flac`, which is only read.
 */
export type TapeCoding = 'float32' | 'pcm16' | 'flac';

/** Applies if the header does not name a coding. */
export const defaultCoding = 'float32';

/** The writable coding that keeps sound of this coding unchanged. */
export function losslessCoding(coding: TapeCoding = defaultCoding): WavEncoding['coding'] {
  return coding === 'flac' ? 'pcm16' : coding;
}

/** The first line of a tape. Readers ignore unknown fields, so fields may be added. */
export interface TapeHeader {
  readonly format: 'parley-tape';
  readonly version: 1;
  readonly mode: Mode;
  readonly dialect: 'auto' | DialectName;
  readonly chunkMs: number;
  /** The session's settings, without voices, which are in the frames as media. */
  readonly settings: Omit<SessionSettings, 'voice'>;
  /** Scheme, host and path; the rest of an address can hold secrets. */
  readonly endpoint: string;
  readonly sound?: TapeCoding | undefined;
  /** The user saved it from the buffer, so retention keeps it. */
  readonly saved?: true | undefined;
  readonly recordedAt: string;
}

/** The part of a header that depends on the talk. */
export type TapeFacts = Omit<TapeHeader, 'format' | 'version' | 'recordedAt'>;

/**
 * One line, with `at` in milliseconds since the tape began. A talk can have several sessions, and a session several
 * connections: to find the dialect, or after a failed hand-over. Connections count from 1 through the talk; 1 is omitted.
 */
export type TapeLine = { readonly at: number; readonly connection?: number | undefined } & (
  | { readonly dir: 'open' }
  /** `out` is from the client, `in` from the server. {@link MediaReference}s replace media. */
  | { readonly dir: 'out' | 'in'; readonly frame: JsonObject }
  /** A frame that is not a JSON object, kept as text. A binary frame has none. */
  | { readonly dir: 'out' | 'in'; readonly text?: string | undefined }
  | { readonly dir: 'end'; readonly end: JsonObject }
  /** Something the wire does not show: a `TapeEvent`, or one of a newer version. */
  | { readonly dir: 'event'; readonly event: JsonObject }
);

export interface Tape {
  readonly header: TapeHeader;
  /** Sorted by time. Frames still have media references. */
  readonly lines: readonly TapeLine[];
  /** Restores a line's frame to what was on the wire. */
  readonly frame: (frame: JsonObject) => JsonObject;
  readonly cut: boolean;
  readonly damage?: AppError | undefined;
}

export type MediaReference =
  /** Samples of a sound file, float32 on the wire. */
  | { readonly $sound: string; readonly from: number; readonly samples: number }
  /** A whole file: a picture or a reference voice. */
  | { readonly $file: string };

/**
 * Limits for reading tapes from any source. A talk of several hours stays below all of them. A tape that exceeds one opens
 * up to that point; with too many sound files it does not open.
 */
export const tapeLimits = {
  /** Lines without media; a minute of talk has about 100 KB. */
  linesBytes: 128 * 1024 * 1024,
  lines: 250_000,
  /** Enough for the longest server message whose text is JSON within JSON. */
  lineBytes: 48 * 1024 * 1024,
  /** In levels of nesting; real frames have a few. Code that walks a frame recurses once per level. */
  depth: 64,
  connections: 1000,
  /** One week in milliseconds. A timer can run for 24 days at most. */
  duration: 7 * 24 * 3_600_000,
  soundFiles: 16,
  /** All sound the lines refer to, as float32. */
  soundBytes: 4_000_000_000,
  /** Checksum file; a picture adds about 100 bytes. */
  checksumBytes: 32 * 1024 * 1024,
  frameBytes: 96 * 1024 * 1024,
} as const;

export const tapeVersion = 1;

export interface TapeSound {
  /** Samples in the file, counted by its content rather than read from its header. */
  readonly samples: number;
  readonly rate: number;
  readonly coding: TapeCoding;
  /** Samples as float32 bytes, as on the wire; silence beyond the end. */
  readonly bytes: (from: number, samples: number) => Uint8Array;
  readonly close: () => void;
}

export function readSamples(sound: TapeSound, from: number, samples: number): Float32Array {
  return new Float32Array(sound.bytes(from, samples).slice().buffer);
}

const wireBytes = 4;
/** Room for other programs' metadata before the first sample. */
const maxHeaderBytes = 65_536;
/** Size of the WAV header that Parley writes for float32; the one for 16 bits is shorter. */
const ownHeaderBytes = 58;

/** A file that cannot be opened, or is cut within its header, opens as an empty sound. */
export function openTapeSound(
  path: string,
  name: string,
  files: Pick<Files, 'openToRead'>,
): Outcome<TapeSound> {
  const opened = files.openToRead(path);
  if (!opened.ok) return { ok: true, value: noSound };
  const file = opened.value;
  const sound = readSound(file, name);
  if (sound.ok && sound.value !== undefined) return { ok: true, value: sound.value };
  file.close();
  return sound.ok ? { ok: true, value: noSound } : sound;
}

const noSound: TapeSound = {
  samples: 0,
  rate: outputRate,
  coding: defaultCoding,
  bytes: (_from, samples) => new Uint8Array(samples * wireBytes),
  close: () => undefined,
};

/** Detects the format by content. Undefined if the file is cut within its header. */
function readSound(file: ReadableFile, name: string): Outcome<TapeSound | undefined> {
  const read = file.readNow(0, maxHeaderBytes);
  if (!read.ok) return failure('tapeSoundUnreadable', { name }, { cause: read.error });
  const bytes = read.value;
  if (isCut(bytes, wavBeginning, ownHeaderBytes) || isCut(bytes, flacBeginning, flacHeaderBytes))
    return done;
  if (flacBeginning.every((byte, at) => byte === bytes[at])) return flacSound(file, bytes, name);
  const head = readWavHeader(bytes, file.size);
  if (!head.ok) {
    return head.error.code === 'wavEmpty'
      ? { ok: true, value: undefined }
      : failure('tapeSoundUnreadable', { name }, { cause: head.error });
  }
  const { format, dataStart } = head.value;
  const { coding, bytesPerSample, channels } = format;
  const isFloat32 = coding === 'float' && bytesPerSample === wireBytes;
  if (channels !== 1 || !(isFloat32 || (coding === 'int' && bytesPerSample === 2)))
    return failure('tapeSoundChanged', { name });
  return {
    ok: true,
    value: isFloat32 ? floatSound(file, dataStart, format) : shortSound(file, dataStart, format),
  };
}

const wavBeginning = [0x52, 0x49, 0x46, 0x46];
const flacBeginning = [0x66, 0x4c, 0x61, 0x43];

/** Whether the file has only part of the header, or zeros after a power cut. */
function isCut(bytes: Uint8Array, beginning: readonly number[], whole: number): boolean {
  if (bytes.every((byte) => byte === 0)) return true;
  return bytes.length < whole && beginning.every((byte, at) => byte === (bytes[at] ?? byte));
}

/** Counts samples by the file's size, because after a kill the header counts too few. */
function floatSound(file: ReadableFile, dataStart: number, { rate }: WavFormat): TapeSound {
  return {
    rate,
    coding: defaultCoding,
    samples: Math.floor((file.size - dataStart) / wireBytes),
    bytes: (from, samples) => {
      const length = samples * wireBytes;
      const read = file.readNow(dataStart + from * wireBytes, length);
      if (read.ok && read.value.length === length) return read.value;
      const padded = new Uint8Array(length);
      if (read.ok) padded.set(read.value);
      return padded;
    },
    close: () => file.close(),
  };
}

function shortSound(file: ReadableFile, dataStart: number, format: WavFormat): TapeSound {
  return {
    rate: format.rate,
    coding: 'pcm16',
    samples: Math.floor((file.size - dataStart) / 2),
    bytes: (from, samples) => {
      const wire = new Float32Array(samples);
      const read = file.readNow(dataStart + from * 2, samples * 2);
      if (read.ok) decodeSamples(read.value, format, wire);
      return new Uint8Array(wire.buffer);
    },
    close: () => file.close(),
  };
}

function flacSound(
  file: ReadableFile,
  beginning: Uint8Array,
  name: string,
): Outcome<TapeSound | undefined> {
  const head = readFlacHeader(beginning);
  if (head === undefined) return failure('tapeSoundUnreadable', { name });
  if (head.channels !== 1 || head.bitsPerSample !== 16)
    return failure('tapeSoundChanged', { name });
  const track = new FlacTrack(file, head, tapeLimits.soundBytes / wireBytes);
  return {
    ok: true,
    value: {
      rate: head.rate,
      coding: 'flac',
      samples: track.samples,
      bytes: (from, samples) => {
        const wire = new Float32Array(samples);
        track.read(from, wire);
        return new Uint8Array(wire.buffer);
      },
      close: () => file.close(),
    },
  };
}

export interface WavWriter {
  /** Writes interleaved samples. They are copied before the call returns. */
  readonly write: (samples: Float32Array) => void;
  readonly samplesWritten: number;
  readonly finish: () => Promise<Outcome<undefined>>;
}

export interface WavWriterOptions {
  readonly rate: number;
  readonly channels?: number | undefined;
  readonly coding: WavEncoding['coding'];
}

/** Writes a WAV file. Updates the header after each second of sound, so that a killed recorder leaves a readable file. */
export function openWavWriter(
  file: FileWriter,
  { rate, channels = 1, coding }: WavWriterOptions,
): WavWriter {
  const encoding = { rate, channels, coding };
  let written = 0;
  let headerSamples = 0;
  const updateHeader = (): void => {
    file.writeAt(0, encodeWavHeader(encoding, written));
    headerSamples = written;
  };

  file.append(encodeWavHeader(encoding, 0));
  return {
    write: (samples) => {
      file.append(encodeSamples(samples, coding));
      written += samples.length;
      if (written - headerSamples >= rate * channels) updateHeader();
    },
    get samplesWritten() {
      return written;
    },
    finish: () => {
      if (headerSamples !== written) updateHeader();
      return file.close();
    },
  };
}

/** Names of the recorded sounds, current and from older versions. */
export const playedSoundNames: readonly string[] = [
  tapeFiles.microphone,
  tapeFiles.answer,
  'microphone.flac',
  'answer.flac',
];

/** Name for a copied sound: FLAC becomes WAV unless that name is taken. */
export function copyName(name: string, sounds: ReadonlyMap<string, TapeSound>): string {
  const wav = name.replace(/\.flac$/u, '.wav');
  return sounds.has(wav) ? name : wav;
}

/** Writes a sound as WAV, a block at a time. */
export async function copySound(
  sound: TapeSound,
  file: FileWriter,
  samplesAtOnce = 1_000_000,
  change = (samples: Float32Array): Float32Array => samples,
): Promise<Outcome<undefined>> {
  const track = openWavWriter(file, { rate: sound.rate, coding: losslessCoding(sound.coding) });
  for (let from = 0; from < sound.samples; from += samplesAtOnce) {
    const count = Math.min(samplesAtOnce, sound.samples - from);
    track.write(change(readSamples(sound, from, count)));
    const written = await file.resume();
    if (!written.ok) return written;
  }
  return track.finish();
}
