import { describe, expect, it } from 'vitest';
import { SpeechClock } from '../../../../../electron/talk/captions/caption-words.ts';

const second = 24_000;

function tone(samples: number, loudness = 0.3): Float32Array {
  return Float32Array.from({ length: samples }, (_, n) => loudness * Math.sin(n / 20));
}

/** Half a second of speech, a pause of 0.3 s, and half a second of speech. */
function withPause(): SpeechClock {
  const clock = new SpeechClock();
  for (const block of [tone(second / 2), tone(second * 0.3, 0.001), tone(second / 2)]) {
    // Blocks of odd lengths make no difference.
    for (let at = 0; at < block.length; at += 777) clock.push(block.subarray(at, at + 777));
  }
  return clock;
}

describe('the speech clock', () => {
  it('almost stops in a pause', () => {
    const clock = withPause();
    expect(clock.samples).toBe(1.3 * second);
    expect(clock.spokenBefore(second / 2)).toBe(second / 2);
    expect(clock.spokenBefore(second * 0.8)).toBeCloseTo(second / 2 + 0.02 * 0.3 * second);
    expect(clock.spoken).toBeCloseTo(second + 0.02 * 0.3 * second);
  });

  it('finds the sample for an amount of speech, even within a frame', () => {
    const clock = withPause();
    expect(clock.sampleAfter(0)).toBe(0);
    expect(clock.sampleAfter(1234)).toBe(1234);
    expect(clock.sampleAfter(clock.spokenBefore(second) + 1000)).toBe(second + 1000);
    expect(clock.sampleAfter(clock.spoken + 1)).toBeUndefined();
  });

  it('finds where speech resumes after a pause, but ignores pauses within words', () => {
    expect(withPause().resumes).toEqual([
      expect.closeTo(second / 2 + 0.02 * 0.3 * second) as number,
    ]);
    const short = new SpeechClock();
    for (const block of [tone(second), tone(second * 0.1, 0), tone(second)]) short.push(block);
    expect(short.resumes).toEqual([]);
  });

  it('measures relative to the loudest frame, so a quiet voice counts', () => {
    const soft = new SpeechClock();
    soft.push(tone(second, 0.01));
    expect(soft.spoken).toBe(second);
  });

  it('counts constant silence as a little speech, so that words keep their order', () => {
    const silent = new SpeechClock();
    silent.push(new Float32Array(second));
    expect(silent.spoken).toBeCloseTo(0.02 * second);
    expect(silent.sampleAfter(silent.spoken / 2)).toBe(second / 2);
  });
});
