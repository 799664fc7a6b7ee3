import type { Base64 } from './base64.ts';

/** Stands for bytes, with their number, where a frame becomes a text; JSON writes a control character so. */
const mark = '\u0001';
const marked = /"\\u0001(\d+)"/gu;

/**
 * Frames as JSON. What their bytes are as base64 is put in afterwards: nothing in it has to be escaped, and looking at
 * each of its letters is most of what a frame costs.
 */
export function stringifyWithBytes(
  framesOf: (base64: Base64) => readonly object[],
  base64: Base64,
): readonly string[] {
  const texts: string[] = [];
  const frames = framesOf({
    decode: base64.decode,
    encode: (bytes) => `${mark}${texts.push(base64.encode(bytes)) - 1}`,
  });
  let put = 0;
  const withText = (_: string, number: string): string => {
    put += 1;
    return `"${texts[Number(number)] ?? ''}"`;
  };
  const lines = frames.map((frame) => JSON.stringify(frame));
  const whole = texts.length === 0 ? lines : lines.map((line) => line.replaceAll(marked, withText));
  // Somebody has written a mark of ours into what they say.
  return put === texts.length ? whole : framesOf(base64).map((frame) => JSON.stringify(frame));
}
