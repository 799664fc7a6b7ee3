import { failure } from '../../shared/errors/app-error.ts';
import type * as Library from '@alexanderolsen/libsamplerate-js';
import { describeError } from '../../shared/describe-error.ts';
import type { Outcome } from '../ports/outcome.ts';

/** One stream of mono sound, at another rate. Blocks of any length; what it returns is the caller's. */
export interface FlushableResampler {
  /** As much as is ready; the filter keeps a few milliseconds back. */
  readonly convert: (block: Float32Array) => Float32Array;
  /** The rest, so that all together is as long as what came in. Afterwards only `close` may follow. */
  readonly flush: () => Float32Array;
  /** Forgets all sound so far, also after `flush`. */
  readonly restart: () => void;
  /** Frees the filter; may be called more than once. */
  readonly close: () => void;
}

type Source = Awaited<ReturnType<typeof Library.create>>;

const minRate = 1000;
const maxRate = 192_000;
/** Longer blocks the library would cut itself, and it cuts the wrong part of a longer buffer. */
const maxPieceSamples = 16_384;
/** More than the filter keeps back, in seconds, also at the slowest rate. */
const heldBack = 0.05;

/** Loads the library (2 MB with its WASM inside) when the first device needs it. */
export async function openResampler(
  from: number,
  to: number,
): Promise<Outcome<FlushableResampler>> {
  if (!isRate(from) || !isRate(to)) {
    return failure('rateUnsupported', { from, to });
  }
  if (from === to) return { ok: true, value: sameRate };
  try {
    // CommonJS with names that Node cannot see from outside.
    const { default: library } = (await import('@alexanderolsen/libsamplerate-js')) as unknown as {
      readonly default: typeof Library;
    };
    const { create, ConverterType } = library;
    const converterType = ConverterType.SRC_SINC_MEDIUM_QUALITY;
    return { ok: true, value: converter(await create(1, from, to, { converterType }), from, to) };
  } catch (error) {
    return failure('resamplerBroken', {}, { detail: describeError(error) });
  }
}

function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= minRate && rate <= maxRate;
}

const sameRate: FlushableResampler = {
  convert: (block) => block.slice(),
  flush: () => new Float32Array(),
  restart: () => undefined,
  close: () => undefined,
};

function converter(source: Source, from: number, to: number): FlushableResampler {
  let taken = 0;
  let given = 0;
  let closed = false;

  const run = (block: Float32Array): Float32Array => {
    const pieces: Float32Array[] = [];
    for (let at = 0; at < block.length; at += maxPieceSamples) {
      pieces.push(source.full(block.subarray(at, at + maxPieceSamples)));
    }
    return joined(pieces);
  };

  return {
    convert: (block) => {
      if (closed) return new Float32Array();
      taken += block.length;
      const got = run(block);
      given += got.length;
      return got;
    },
    flush: () => {
      const missing = Math.max(0, Math.round((taken * to) / from) - given);
      if (closed || missing === 0) return new Float32Array();
      const silence = Math.ceil((missing * from) / to + heldBack * from);
      given += missing;
      return run(new Float32Array(silence)).slice(0, missing);
    },
    restart: () => {
      if (closed) return;
      [taken, given] = [0, 0];
      // The library begins anew when a rate is set, even to what it was.
      source.inputSampleRate = from;
    },
    close: () => {
      if (!closed) source.destroy();
      closed = true;
    },
  };
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const [only, ...more] = pieces;
  if (only === undefined) return new Float32Array();
  if (more.length === 0) return only;
  const whole = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
