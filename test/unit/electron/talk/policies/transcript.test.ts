import { describe, expect, it } from 'vitest';
import { Transcript } from '../../../../../electron/talk/policies/transcript.ts';
import { seeded } from '../../../../fakes/seeded.ts';

function begun(maxCharacters?: number): Transcript {
  const transcript = new Transcript(maxCharacters);
  transcript.begin();
  return transcript;
}

describe('the transcript', () => {
  it('holds what has been heard of each turn, and marks what was cut', () => {
    const transcript = begun();
    transcript.heard(1, 'Hello');
    transcript.heard(1, 'Hello there.');
    transcript.complete(1);
    transcript.heard(2, 'Once upon');
    transcript.cut(2);
    expect(transcript.turns()).toEqual([
      { session: 1, turn: 1, text: 'Hello there.', cut: false },
      { session: 1, turn: 2, text: 'Once upon', cut: true },
    ]);
  });

  it('knows nothing of a turn of which nothing was heard', () => {
    const transcript = begun();
    transcript.heard(1, '  ');
    transcript.cut(1);
    transcript.complete(2);
    expect(transcript.turns()).toEqual([]);
  });

  it('hears no more of a turn that was cut', () => {
    const transcript = begun();
    transcript.heard(1, 'One two');
    transcript.cut(1);
    transcript.heard(1, 'One two three');
    expect(transcript.turns()).toMatchObject([{ text: 'One two', cut: true }]);
  });

  it('goes on over sessions, which count their turns anew; the end of one cuts what was open', () => {
    const transcript = begun();
    transcript.heard(1, 'First.');
    transcript.complete(1);
    transcript.heard(2, 'The second is');
    transcript.begin();
    transcript.heard(1, 'Here again.');
    expect(transcript.turns()).toEqual([
      { session: 1, turn: 1, text: 'First.', cut: false },
      { session: 1, turn: 2, text: 'The second is', cut: true },
      { session: 2, turn: 1, text: 'Here again.', cut: false },
    ]);
  });

  it('gives away a copy', () => {
    const transcript = begun();
    transcript.heard(1, 'One');
    const before = transcript.turns();
    transcript.heard(1, 'One two');
    expect(before).toMatchObject([{ text: 'One' }]);
  });

  it('keeps the newest within its bound, whatever is said', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = seeded(seed);
      const transcript = begun(200);
      const all = new Map<number, string>();
      for (let step = 0; step < 200; step += 1) {
        const turn = 1 + Math.floor(step / 4);
        const text = `${all.get(turn) ?? ''}${'x'.repeat(1 + Math.floor(random() * 20))}`;
        all.set(turn, text);
        transcript.heard(turn, text);
        const kept = transcript.turns();
        const length = kept.reduce((sum, { text: { length } }) => sum + length, 0);
        expect(length <= 200 || kept.length === 1).toBe(true);
        const dropped = [...all.values()].at(-kept.length - 1);
        if (dropped !== undefined) expect(length + dropped.length).toBeGreaterThan(200);
        const newest = [...all].slice(-kept.length);
        expect(kept.map(({ turn, text }) => [turn, text])).toEqual(newest);
      }
    }
  });
});
