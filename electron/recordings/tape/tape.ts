import type { WavEncoding } from '../../../shared/audio/wav.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import type { SessionSettings, DialectName, Mode } from '../../../shared/protocol/realtime-api.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';

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
  /** Without voices, which are in the frames as media. */
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
