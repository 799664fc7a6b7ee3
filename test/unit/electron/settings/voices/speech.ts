import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';

const toSamples = (seconds: number): number => Math.round(seconds * inputRate);

/** A tone whose level varies four times a second, up to `peak`. */
export function speech(seconds: number, peak = 0.3): Float32Array {
  return Float32Array.from({ length: toSamples(seconds) }, (_, n) => {
    const swell = 0.6 - 0.4 * Math.cos((2 * Math.PI * 4 * n) / inputRate);
    return peak * swell * Math.sin((2 * Math.PI * 180 * n) / inputRate);
  });
}

/** A silent room: a hum at -66 dBFS. */
export function room(seconds: number): Float32Array {
  return Float32Array.from(
    { length: toSamples(seconds) },
    (_, n) => 0.0007 * Math.sin((2 * Math.PI * 50 * n) / inputRate),
  );
}

export function click(): Float32Array {
  return new Float32Array(80).fill(0.9);
}

export function joined(...parts: readonly Float32Array[]): Float32Array {
  const sound = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    sound.set(part, at);
    at += part.length;
  }
  return sound;
}
