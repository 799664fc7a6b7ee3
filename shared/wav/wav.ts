import type { Failure } from '../errors/app-error.ts';

/** Sound as it stands in a WAV file; several channels take turns, sample by sample. */
export interface Wav {
  readonly rate: number;
  readonly channels: number;
  readonly samples: Float32Array;
}

/** How the samples of a WAV file are written down. */
export interface WavFormat {
  readonly rate: number;
  readonly channels: number;
  readonly coding: 'int' | 'float';
  readonly bytesPerSample: number;
}

/** Where a WAV file's samples are and how they are coded. */
export interface WavHeader {
  readonly format: WavFormat;
  readonly dataStart: number;
  /** A whole number of frames, and no more than the file really holds. */
  readonly dataLength: number;
}

/** The same shape as the ports' outcome, which shared code cannot know. */
export type WavOutcome<Value> = { readonly ok: true; readonly value: Value } | Failure;
