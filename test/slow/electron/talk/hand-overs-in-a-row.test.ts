import { describe, expect, it } from 'vitest';
import { LongTalk, medianOf, serverKinds } from '../../../unit/electron/talk/long-talk.ts';

/** `npm run bench -- hand-over` has thirty, and an hour. */
const handOvers = 10;
const maxAddedMs = 700;

describe.each(serverKinds)('handOvers in a row, %s and %s', (dialect, profile) => {
  it('nobody notices: no word of either side is lost, and no answer is late', () => {
    const talk = new LongTalk([dialect, profile], 30);
    const before = talk.phases.length;
    while (talk.handOvers < handOvers && talk.questions.length < 150) talk.turn();
    expect(talk.handOvers).toBe(handOvers);
    expect(talk.phases.slice(before)).toEqual([]);
    expect(talk.uplink()).toMatchObject({ missing: 0, disorder: 0 });
    expect(talk.questions.filter(({ waitedMs }) => waitedMs === undefined)).toEqual([]);
    expect(talk.answers()).toEqual({ notHeard: [], cut: [] });
    const { across, within } = talk.waits();
    // Questions that met a hand-over: without any this would show nothing.
    expect(across.length).toBeGreaterThan(0);
    expect(medianOf(across) - medianOf(within)).toBeLessThanOrEqual(maxAddedMs);
    const added = talk.silences.map(({ silenceMs, serverMs }) => silenceMs - serverMs);
    expect(medianOf(added)).toBeLessThanOrEqual(maxAddedMs);
  }, 60_000);
});
