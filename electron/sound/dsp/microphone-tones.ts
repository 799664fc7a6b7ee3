import { fadeCurve } from './fade.ts';

const noteSeconds = 0.07;
const fadeSeconds = 0.02;
/** A fifth; upwards for open, downwards for closed. */
const low = 523.25;
const high = 783.99;
/** Soft enough that a microphone beside the speaker does not take it for a word. */
const loudness = 0.06;

/** Two short notes that say what has become of the microphone. */
export function microphoneTones(kind: 'opened' | 'closed', rate: number): Float32Array {
  const notes = kind === 'opened' ? [low, high] : [high, low];
  const length = Math.round(noteSeconds * rate);
  const tones = new Float32Array(notes.length * length);
  const curve = fadeCurve(Math.round(fadeSeconds * rate));
  notes.forEach((hertz, note) => {
    for (let n = 0; n < length; n += 1) {
      const edge = curve[Math.min(n, length - 1 - n)] ?? 1;
      tones[note * length + n] = loudness * edge * Math.sin((2 * Math.PI * hertz * n) / rate);
    }
  });
  return tones;
}
