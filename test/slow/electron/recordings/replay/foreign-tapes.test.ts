import { describe, expect, it } from 'vitest';
import type { OpenTape } from '../../../../../electron/recordings/tape/open-tape.ts';
import type { TapeLine } from '../../../../../electron/recordings/tape/tape.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { recordTalk } from '../../../../fixtures/record-talk.ts';
import { storedTape, storedTapes } from '../../../../fixtures/stored-tape.ts';
import { renderInSteps, tapeIn } from '../../../../unit/electron/recordings/replay/render-tapes.ts';

/** The tape up to a line, as a killed recorder leaves it. */
function cutAt(tape: OpenTape, count: number): OpenTape {
  return { ...tape, lines: tape.lines.slice(0, count), cut: true };
}

describe.each(storedTapes)('rendering the stored tape %s', (name) => {
  it('renders the whole tape and every cut version of it', async () => {
    const tape = await tapeIn('/tape', storedTape(name));
    if (tape.header.mode === 'chat') {
      tape.close();
      return;
    }
    const { rendered: whole } = await renderInSteps(tape);
    expect(whole.readyMs).toBe(whole.lengthMs);
    const texts = whole.sceneAt(Infinity).talk.captions.map(({ text }) => text);
    for (let count = 1; count < tape.lines.length; count += Math.ceil(tape.lines.length / 12)) {
      const { rendered } = await renderInSteps(cutAt(tape, count));
      expect(rendered.lengthMs).toBe(tape.lines[count - 1]?.at);
      const { captions } = rendered.sceneAt(Infinity).talk;
      for (const [index, { text }] of captions.entries())
        expect(texts[index]?.startsWith(text)).toBe(true);
    }
    tape.close();
  });
});

/** Lines that someone may have added to a tape. */
const foreignLines: readonly object[] = [
  { kind: 'heard', turn: 1, samples: 1e15 },
  { kind: 'heard', turn: 99_999_999, samples: 5 },
  { kind: 'heard', turn: 1, samples: 3 },
  { kind: 'interrupt' },
  { kind: 'end' },
  { kind: 'continue', carry: 'nothing' },
  { kind: 'lostInSleep' },
  { kind: 'networkBack' },
  { kind: 'bargeIn', does: 'takesFloor' },
  { kind: 'chance', value: 1 },
  { kind: 'chance', value: 7 },
  { kind: 'began' },
  { kind: 'controls', controls: null },
  { kind: 'somethingElse', deep: { deep: [] } },
];

describe('rendering a tape with unexpected lines', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'ends and gives the same result each time (seed %i)',
    async (seed) => {
      const files = new FakeFiles();
      await recordTalk('/tape', files, {
        speaks: (ms) => ms % 5000 < 1500,
        actions: [
          [4650, (talk) => talk.interrupt()],
          [9000, (talk) => talk.end()],
        ],
      });
      const tape = await tapeIn('/tape', files);
      const random = seeded(seed);
      const lines = tape.lines.flatMap((line): readonly TapeLine[] => {
        if (random() < 0.1) return [];
        if (random() < 0.7) return [line];
        const event = { ...foreignLines[Math.floor(random() * foreignLines.length)] };
        return [{ at: line.at, dir: 'event', event }, line];
      });
      const { rendered } = await renderInSteps({ ...tape, lines });
      const { rendered: again } = await renderInSteps({ ...tape, lines }, 5);
      expect(again.notices).toEqual(rendered.notices);
      expect(rendered.readyMs).toBe(rendered.lengthMs);
      expect(rendered.lengthMs).toBeLessThan(9000 + 61_000);
    },
  );
});
