import { describe, expect, it } from 'vitest';
import { Transcript } from '../../../../../electron/talk/policies/carry-over.ts';
import { seeded } from '../../../../fakes/seeded.ts';

function begun(maxCharacters?: number): Transcript {
  const transcript = new Transcript(maxCharacters);
  transcript.begin();
  return transcript;
}

describe('the transcript', () => {
  it('stores what was heard of each turn, and marks cut turns', () => {
    const transcript = begun();
    transcript.setHeard(1, 'Hello');
    transcript.setHeard(1, 'Hello there.');
    transcript.complete(1);
    transcript.setHeard(2, 'Once upon');
    transcript.cut(2);
    expect(transcript.turns()).toEqual([
      { session: 1, turn: 1, text: 'Hello there.', cut: false },
      { session: 1, turn: 2, text: 'Once upon', cut: true },
    ]);
  });

  it('omits turns without heard words', () => {
    const transcript = begun();
    transcript.setHeard(1, '  ');
    transcript.cut(1);
    transcript.complete(2);
    expect(transcript.turns()).toEqual([]);
  });

  it('ignores later words of a cut turn', () => {
    const transcript = begun();
    transcript.setHeard(1, 'One two');
    transcript.cut(1);
    transcript.setHeard(1, 'One two three');
    expect(transcript.turns()).toMatchObject([{ text: 'One two', cut: true }]);
  });

  it('continues over sessions, whose turn numbers restart, and cuts open turns at their end', () => {
    const transcript = begun();
    transcript.setHeard(1, 'First.');
    transcript.complete(1);
    transcript.setHeard(2, 'The second is');
    transcript.begin();
    transcript.setHeard(1, 'Here again.');
    expect(transcript.turns()).toEqual([
      { session: 1, turn: 1, text: 'First.', cut: false },
      { session: 1, turn: 2, text: 'The second is', cut: true },
      { session: 2, turn: 1, text: 'Here again.', cut: false },
    ]);
  });

  it('returns a copy', () => {
    const transcript = begun();
    transcript.setHeard(1, 'One');
    const before = transcript.turns();
    transcript.setHeard(1, 'One two');
    expect(before).toMatchObject([{ text: 'One' }]);
  });

  it('keeps the newest turns within its limit, for random turns', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = seeded(seed);
      const transcript = begun(200);
      const all = new Map<number, string>();
      for (let step = 0; step < 200; step += 1) {
        const turn = 1 + Math.floor(step / 4);
        const text = `${all.get(turn) ?? ''}${'x'.repeat(1 + Math.floor(random() * 20))}`;
        all.set(turn, text);
        transcript.setHeard(turn, text);
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
