import { describe, expect, it } from 'vitest';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { recordTalk, type TalkScript } from '../../../../fixtures/record-talk.ts';
import { renderInSteps, tapeIn } from '../../../../unit/electron/recordings/replay/render-tapes.ts';

/** Answers arrive a second at a time and play for several. */
const talk: TalkScript = {
  usesResilientRecorder: true,
  speaks: (ms) => ms < 1500 || (ms > 8000 && ms < 9000) || (ms > 16_000 && ms < 17_000),
  actions: [[26_000, (talk) => talk.end()]],
};

/** Records a talk whose folder is deleted, and renders its tape. */
async function renderAfterDeletion(deletedAt: number | undefined) {
  const files = new FakeFiles();
  const deletion: TalkScript['actions'] =
    deletedAt === undefined ? [] : [[deletedAt, () => files.removeFolder('/tape')]];
  await recordTalk('/tape', files, { ...talk, actions: [...deletion, ...talk.actions] });
  const tape = await tapeIn('/tape', files);
  const { rendered } = await renderInSteps(tape);
  tape.close();
  return rendered;
}

/** The tape samples the playhead now and then, so times are inexact. */
const toleranceMs = 120;

describe('a tape restarted after its folder was deleted', () => {
  it.each([
    { when: 'between two answers', deletedAt: 7000, beginsAt: 9000 },
    { when: 'in the middle of an answer', deletedAt: 10_500, beginsAt: 12_000 },
  ])('renders the later answers at their times: deleted $when', async ({ deletedAt, beginsAt }) => {
    const complete = await renderAfterDeletion(undefined);
    const restarted = await renderAfterDeletion(deletedAt);
    const after = complete.turns.filter(({ to }) => to > beginsAt);
    expect(after.length).toBe(2);
    expect(restarted.turns.map(({ turn }) => turn)).toEqual([1, 2]);
    const endsOff = after.map(({ to }, index) => (restarted.turns[index]?.to ?? 0) + beginsAt - to);
    const [, second] = restarted.turns;
    const beginOff = (second?.from ?? 0) + beginsAt - (after[1]?.from ?? 0);
    for (const off of [...endsOff, beginOff]) expect(Math.abs(off)).toBeLessThan(toleranceMs);
    // Only sound that was playing at that moment is lost with the old tape.
    const firstOff =
      (restarted.turns[0]?.from ?? 0) + beginsAt - Math.max(beginsAt, after[0]?.from ?? 0);
    expect(firstOff).toBeLessThan(1000);
  });
});
