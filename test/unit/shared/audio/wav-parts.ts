import type { Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';

/** Parts of WAV files, for files that our encoder never writes. */
export function bytesOf(...pieces: readonly (string | readonly number[])[]): number[] {
  return pieces.flatMap((piece) =>
    typeof piece === 'string' ? Array.from(piece, (letter) => letter.charCodeAt(0)) : piece,
  );
}

export function shorts(...values: readonly number[]): number[] {
  return [...new Uint8Array(Int16Array.from(values).buffer)];
}

export function longs(...values: readonly number[]): number[] {
  return [...new Uint8Array(Int32Array.from(values).buffer)];
}

export function float32(...values: readonly number[]): number[] {
  return [...new Uint8Array(Float32Array.from(values).buffer)];
}

export function float64(...values: readonly number[]): number[] {
  return [...new Uint8Array(Float64Array.from(values).buffer)];
}

interface Form {
  readonly tag?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits: number;
  readonly block?: number;
}

export function fmt({ tag = 1, channels = 1, rate = 8000, bits, block }: Form): number[] {
  const size = block ?? (channels * bits) / 8;
  return bytesOf(shorts(tag, channels), longs(rate, rate * size), shorts(size, bits));
}

export function chunk(tag: string, body: readonly number[]): number[] {
  return bytesOf(tag, longs(body.length), body, body.length % 2 === 1 ? [0] : []);
}

export function riff(...chunks: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const body = chunks.flat();
  return Uint8Array.from(bytesOf('RIFF', longs(4 + body.length), 'WAVE', body));
}

export function problemOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? 'no problem' : describeAppError(outcome.error);
}
