import { describe, expect, it } from 'vitest';
import {
  type CutPhrase,
  PhraseCutter,
} from '../../../../../electron/talk/user-transcript/phrase-cutter.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const ms = 16;

/** A microphone with blocks of 20 ms or the given length. */
class Speaking {
  readonly phrases: CutPhrase[] = [];
  readonly cutter = new PhraseCutter((phrase) => {
    this.phrases.push(phrase);
  });
  now = 0;

  pass(length: number, level: number, { isUsersVoice = true, block = 20 } = {}): this {
    for (let left = length; left > 0; left -= block) {
      const samples = new Float32Array(Math.min(block, left) * ms);
      for (let n = 0; n < samples.length; n += 1) samples[n] = n % 2 === 0 ? level : -level;
      this.now += Math.min(block, left);
      this.cutter.push(samples, this.now, isUsersVoice);
    }
    return this;
  }

  get times(): readonly (readonly [number, number])[] {
    return this.phrases.map(({ samples, begunAt }) => [begunAt, begunAt + samples.length / ms]);
  }
}

describe('phrases', () => {
  it('begin before the voice and end in its pause', () => {
    const speaking = new Speaking().pass(2000, 0).pass(1500, 0.2).pass(1000, 0);
    const [[from, to] = [0, 0]] = speaking.times;
    expect(speaking.phrases).toHaveLength(1);
    expect(from).toBeGreaterThanOrEqual(1600);
    expect(from).toBeLessThanOrEqual(1800);
    expect(to).toBeGreaterThanOrEqual(3560);
    expect(to).toBeLessThanOrEqual(3760);
  });

  it('continue over short pauses between words', () => {
    const speaking = new Speaking();
    for (let word = 0; word < 5; word += 1) speaking.pass(300, 0.2).pass(500, 0);
    expect(speaking.pass(1000, 0).phrases).toHaveLength(1);
    for (let word = 0; word < 3; word += 1) speaking.pass(300, 0.2).pass(900, 0);
    expect(speaking.phrases).toHaveLength(4);
  });

  it('exclude knocks', () => {
    expect(new Speaking().pass(500, 0).pass(60, 0.5).pass(2000, 0).phrases).toEqual([]);
  });

  it('exclude the answer’s echo', () => {
    const speaking = new Speaking().pass(3000, 0.2, { isUsersVoice: false }).pass(500, 0);
    expect(speaking.phrases).toEqual([]);
    speaking.pass(1000, 0.2, { isUsersVoice: false }).pass(1000, 0.3).pass(1000, 0);
    expect(speaking.phrases).toHaveLength(1);
    expect(speaking.times[0]?.[0]).toBeGreaterThanOrEqual(4100);
  });

  it('are divided at the quietest place before they are too long, without loss', () => {
    const speaking = new Speaking().pass(500, 0);
    speaking.pass(17_000, 0.3).pass(120, 0.03).pass(9000, 0.3).pass(1000, 0);
    const [first, second] = speaking.times;
    expect(speaking.phrases).toHaveLength(2);
    expect(first?.[1]).toBeGreaterThanOrEqual(17_500);
    expect(first?.[1]).toBeLessThanOrEqual(17_620);
    expect(second?.[0]).toBe(first?.[1]);
  });

  it('end at a gap in the sound', () => {
    const speaking = new Speaking().pass(1000, 0.2);
    speaking.cutter.finish();
    expect(speaking.phrases).toHaveLength(1);
    speaking.pass(1000, 0.2);
    speaking.now += 5000;
    speaking.pass(1000, 0.2).cutter.finish();
    expect(speaking.times.map(([from]) => from)).toEqual([0, 1000, 7000]);
  });

  it('have their spoken time, including pre-roll from before the talk key', () => {
    const speaking = new Speaking().pass(3000, 0);
    // Half a second of pre-roll arrives with the key.
    speaking.now -= 500;
    speaking.pass(500, 0.2, { block: 500 }).pass(500, 0.2).pass(1000, 0);
    expect(speaking.times[0]?.[0]).toBeLessThanOrEqual(2500);
    expect(speaking.times[0]?.[0]).toBeGreaterThanOrEqual(2100);
  });

  it('never overlap and are never longer than twenty seconds, for random sound', () => {
    for (let run = 0; run < randomRuns(24); run += 1) {
      const random = seeded(run + 1);
      const speaking = new Speaking();
      const block = [20, 37, 100][run % 3] ?? 20;
      for (let stretch = 0; stretch < 6; stretch += 1) {
        const level = [0, 0.01, 0.1, 0.4][Math.floor(random() * 4)] ?? 0;
        speaking.pass(Math.ceil(random() * 9000), level, { block });
      }
      speaking.cutter.finish();
      let before = 0;
      for (const [from, to] of speaking.times) {
        expect(from).toBeGreaterThanOrEqual(before);
        expect(to - from).toBeLessThanOrEqual(20_000);
        // Times are whole milliseconds.
        before = to - 1;
      }
      expect(before).toBeLessThanOrEqual(speaking.now);
    }
  });
});
