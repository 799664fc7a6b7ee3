import { describe, expect, it } from 'vitest';
import type { RenderedTape } from '../../../../../electron/recordings/replay/rendered-tape.ts';
import type { OpenTape } from '../../../../../electron/recordings/tape/tape-archive.ts';
import type { TapeLine } from '../../../../../electron/recordings/tape/tape.ts';
import {
  type CaptionedTurn,
  type CaptionPatch,
  patchCaption,
} from '../../../../../shared/talk/talk-view.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { fakeJpeg } from '../../../../fakes/fake-pictures.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { recordTalk, type TalkScript } from '../../../../fixtures/record-talk.ts';
import { storedTape, storedTapes } from '../../../../fixtures/stored-tape.ts';
import { renderInSteps, tapeIn } from '../../../../unit/electron/recordings/replay/render-tapes.ts';

const speaksFirst = (ms: number): boolean => ms < 2000;

const talks: Readonly<Record<string, TalkScript>> = {
  'a talk': { speaks: speaksFirst, actions: [[12_000, (talk) => talk.end()]] },
  'an interruption': {
    speaks: speaksFirst,
    actions: [
      [4650, (talk) => talk.interrupt()],
      [12_000, (talk) => talk.end()],
    ],
  },
  'a lost connection': {
    speaks: (ms) => ms % 8000 < 2000,
    gateway: { faults: [{ kind: 'drop', session: 1, atStep: 5 }] },
    actions: [[20_000, (talk) => talk.end()]],
  },
  'a muted and paused microphone': {
    speaks: speaksFirst,
    actions: [
      [2500, (talk) => talk.controls.setMuted(true)],
      [6000, (talk) => talk.setPaused(true)],
      [9000, (talk) => talk.setPaused(false)],
      [9500, (talk) => talk.controls.setMuted(false)],
      [14_000, (talk) => talk.end()],
    ],
  },
  'a continued talk': {
    speaks: (ms) => ms % 9000 < 2000,
    actions: [
      [5000, (talk) => talk.end()],
      [8000, (talk) => talk.continueTalk('transcript')],
      [20_000, (talk) => talk.end()],
    ],
  },
  'a hand-over': {
    speaks: (ms) => ms % 9000 < 2000,
    gateway: { sessionSeconds: { audio: 24, video: 24 } },
    handsOverAt: 24,
    actions: [[40_000, (talk) => talk.end()]],
  },
  'a session that ends before its known limit': {
    speaks: (ms) => ms % 9000 < 2000,
    gateway: { sessionSeconds: { audio: 14, video: 14 } },
    handsOverAt: 600,
    actions: [[27_000, (talk) => talk.end()]],
  },
  'pictures and a moved speaker': {
    mode: 'video',
    speaks: speaksFirst,
    actions: [
      [1500, (talk) => talk.pushFrame(fakeJpeg)],
      [3500, (talk) => talk.pushFrame(fakeJpeg)],
      [
        4000,
        (talk) => talk.onDeviceEvent('speaker', { kind: 'moved', from: 'Desk', device: 'Room' }),
      ],
      [12_000, (talk) => talk.end()],
    ],
  },
};

type Patched = readonly { readonly name: string; readonly payload: unknown; readonly at: number }[];

/** The final text of each turn, and when each character was shown as heard. */
function finalCaptions(notices: Patched) {
  const turns = new Map<number, CaptionedTurn>();
  const heardAt = new Map<string, number>();
  for (const { name, payload, at } of notices) {
    if (name !== 'caption') continue;
    const patch = payload as CaptionPatch;
    const before = turns.get(patch.turn);
    const after = patchCaption(before, patch);
    for (let letter = before?.heard ?? 0; letter < after.heard; letter += 1)
      heardAt.set(`${patch.turn}.${letter}`, at);
    turns.set(patch.turn, after);
  }
  return { turns: [...turns.values()], heardAt };
}

describe.each(Object.entries(talks))('the rendered tape of %s', (_name, talk) => {
  it('has the state notices of the live talk, and its captions within 120 ms', async () => {
    const files = new FakeFiles();
    const live = await recordTalk('/tape', files, talk);
    const { rendered } = await renderInSteps(await tapeIn('/tape', files));
    const of = (name: string) => (notice: { readonly name: string }) => notice.name === name;
    for (const name of [
      'talkBegan',
      'talkControls',
      'floor',
      'talkDevices',
      'talkTrouble',
      'talkLimits',
      'talkState',
    ]) {
      expect([name, rendered.notices.filter(of(name))]).toEqual([name, live.filter(of(name))]);
    }
    const expected = finalCaptions(live);
    const captions = finalCaptions(rendered.notices);
    expect(expected.turns.length).toBeGreaterThan(0);
    expect(captions.turns).toEqual(expected.turns);
    const late = [...expected.heardAt].map(
      ([letter, at]) => (captions.heardAt.get(letter) ?? NaN) - at,
    );
    // The replay plays stretched sound at normal length, so it runs ahead by less than a caption shows.
    expect(Math.max(...late.map(Math.abs))).toBeLessThanOrEqual(120);
  });

  it('is identical each time, in one go or in slices', async () => {
    const files = new FakeFiles();
    await recordTalk('/tape', files, talk);
    const tape = await tapeIn('/tape', files);
    const { rendered: once } = await renderInSteps(tape);
    const { rendered: again } = await renderInSteps(tape, 7);
    expect(again.notices).toEqual(once.notices);
    expect(again.timeline()).toEqual(once.timeline());
    expect(encodeSound(again)).toEqual(encodeSound(once));
  });
});

function encodeSound({ heard, microphone, lengthMs }: RenderedTape): readonly string[] {
  return [heard, microphone].map((sound) => {
    const samples = new Float32Array(Math.ceil((lengthMs * sound.rate) / 1000));
    sound.addTo(samples, 0);
    return Buffer.from(samples.buffer).toString('base64');
  });
}

/** The tape up to a line, as a killed recorder leaves it. */
function cutAt(tape: OpenTape, count: number): OpenTape {
  return { ...tape, lines: tape.lines.slice(0, count), cut: true };
}

describe.each(storedTapes)('rendering the stored tape %s', (name) => {
  it('renders the whole tape and cut versions of it', async () => {
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
