import type { WavEncoding } from '../../../shared/audio/encode-wav.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import type { SessionSettings } from '../../../shared/protocol/client-event.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import type { DialectName, Mode } from '../../../shared/protocol/realtime-api.ts';

/** The files of a tape, in the folder that is the tape. */
export const tapeFiles = {
  /** The header, then one line for everything that happened, in order. */
  lines: 'tape.ndjson',
  /** All microphone sound that was sent, 16 kHz mono. */
  microphone: 'microphone.wav',
  /** All sound that was answered, 24 kHz mono. */
  answer: 'answer.wav',
  /** Both of them as they were, to be listened to: no line refers to it. 24 kHz, 16 bit; left the person, right what was heard. */
  bothSides: 'both.wav',
  /** By which it is seen whether any of the others was changed since; written at the close. */
  checksums: 'checksums.json',
} as const;

/**
 * How a tape's sound is written. `float32` is what went over the wire, bit by bit; `pcm16` rounds it to 16 bit. Older versions
 * wrote `flac`, which is only read.
 */
export type TapeCoding = 'float32' | 'pcm16' | 'flac';

/** What a tape has whose header says nothing of it. */
export const exactCoding = 'float32';

/** The coding in which the sound of one coding is written without losing anything. */
export function writtenCoding(coding: TapeCoding = exactCoding): WavEncoding['coding'] {
  return coding === 'flac' ? 'pcm16' : coding;
}

/** The first line of a tape. Fields may be added; a reader ignores those it does not know. */
export interface TapeHeader {
  readonly format: 'parley-tape';
  readonly version: 1;
  readonly mode: Mode;
  readonly dialect: 'auto' | DialectName;
  readonly chunkMs: number;
  /** The settings without their voices, which stand in the frames like all other media. */
  readonly settings: Omit<SessionSettings, 'voice'>;
  /** Scheme, host and path only: the rest of an address can hold secrets. */
  readonly endpoint: string;
  /** How its sounds are written; exactly, where it is left out. */
  readonly sound?: TapeCoding | undefined;
  /** Somebody asked for it when it was in memory only: it does not go by itself. */
  readonly saved?: true | undefined;
  /** ISO 8601, for people. */
  readonly recordedAt: string;
}

/**
 * One line: `at` is in milliseconds since the tape began. A session can take several connections
 * (to find the dialect, or after a failed hand-over), and a talk several sessions: connections count
 * from 1 through all of them, and 1 is left out.
 */
export type TapeLine = { readonly at: number; readonly connection?: number | undefined } & (
  | { readonly dir: 'open' }
  /** `out` is ours, `in` the server's; media are replaced by {@link MediaReference}s. */
  | { readonly dir: 'out' | 'in'; readonly frame: JsonObject }
  /** A frame that is no JSON object, kept as text; a binary one has none. */
  | { readonly dir: 'out' | 'in'; readonly text?: string | undefined }
  | { readonly dir: 'end'; readonly end: JsonObject }
  /** What the wire does not show, a `TapeEvent` as far as it is known. */
  | { readonly dir: 'event'; readonly event: JsonObject }
);

/** A tape that can be played. */
export interface Tape {
  readonly header: TapeHeader;
  /** In order, each no earlier than the one before; their frames may still have references in them. */
  readonly lines: readonly TapeLine[];
  /** The frame of one of its lines, as it was on the wire. */
  readonly frame: (frame: JsonObject) => JsonObject;
  /** Something is missing at its end. */
  readonly cut: boolean;
  /** Why it is, where it is. */
  readonly damage?: AppError | undefined;
}

/** Stands on a tape in the place of base64. */
export type MediaReference =
  /** Samples of one of the tape's files of sound, float32 on the wire. */
  | { readonly $sound: string; readonly from: number; readonly samples: number }
  /** A whole file beside the tape, byte for byte: a picture, or a reference voice. */
  | { readonly $file: string };

/**
 * What is read of a tape, whoever made it. A talk of a whole day stays below all of these; where a tape goes beyond one, it
 * is opened up to there.
 */
export const tapeLimits = {
  /** Of the lines without their media: a minute of talk has some 100 KB. */
  linesBytes: 128 * 1024 * 1024,
  lines: 250_000,
  /** What a server may say at once, as text within text at the worst. */
  lineBytes: 48 * 1024 * 1024,
  /** Frames are a few levels deep; what goes through all of a frame calls itself as often. */
  depth: 64,
  /** A connection for each time that the network was gone. */
  connections: 1000,
  /** A week, in milliseconds: timers cannot wait much longer. */
  duration: 7 * 24 * 3_600_000,
  /** Files of sound: today there are two. */
  soundFiles: 16,
  /** All sound that its lines refer to: no file of ours grows beyond the half of it. */
  soundBytes: 4_000_000_000,
  /** Of the file of checksums: a picture takes it some hundred bytes. */
  checksumBytes: 32 * 1024 * 1024,
  /** What the media of one line may have, as bytes. */
  frameBytes: 96 * 1024 * 1024,
} as const;

/** What makes a tape of one version one of the next. */
export interface FormatStep {
  readonly header: (header: JsonObject) => JsonObject;
  readonly line: (line: JsonObject) => JsonObject;
}

/** The version that is written, and read. */
export const tapeVersion = 1;

/**
 * By the version that they begin with. There has been no other version yet: whoever makes version 2 puts here what makes a
 * tape of version 1 one of version 2, and tapes of both are read from then on.
 */
export const formatSteps: Readonly<Record<number, FormatStep>> = {};

/** One step for all that are needed from a version on; nothing where one of them is missing. */
export function stepsFrom(
  version: number,
  steps: Readonly<Record<number, FormatStep>>,
): FormatStep | undefined {
  const needed = Array.from({ length: tapeVersion - version }, (_, step) => steps[version + step]);
  if (needed.includes(undefined)) return undefined;
  return {
    header: (header) => needed.reduce((value, step) => step?.header(value) ?? value, header),
    line: (line) => needed.reduce((value, step) => step?.line(value) ?? value, line),
  };
}
