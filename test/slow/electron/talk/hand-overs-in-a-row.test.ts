import { describe, expect, it } from 'vitest';
import { LongTalk, medianOf, serverKinds } from '../../../unit/electron/talk/long-talk.ts';

/** `npm run bench -- hand-over` runs thirty over an hour. */
const handOvers = 10;
const maxAddedMs = 700;

describe.each(serverKinds)('hand-overs in a row, %s and %s', (dialect, profile) => {
  it('lose no word of either side and delay no answer', () => {
    const talk = new LongTalk([dialect, profile], 30);
    const before = talk.phases.length;
    while (talk.handOvers < handOvers && talk.questions.length < 150) talk.turn();
    expect(talk.handOvers).toBe(handOvers);
    expect(talk.phases.slice(before)).toEqual([]);
    expect(talk.uplink()).toMatchObject({ missing: 0, disorder: 0 });
    expect(talk.questions.filter(({ waitedMs }) => waitedMs === undefined)).toEqual([]);
    expect(talk.answers()).toEqual({ notHeard: [], cut: [] });
    const { across, within } = talk.waits();
    // Without questions during a hand-over this would prove nothing.
    expect(across.length).toBeGreaterThan(0);
    expect(medianOf(across) - medianOf(within)).toBeLessThanOrEqual(maxAddedMs);
    const added = talk.silences.map(({ silenceMs, serverMs }) => silenceMs - serverMs);
    expect(medianOf(added)).toBeLessThanOrEqual(maxAddedMs);
  }, 60_000);
});
