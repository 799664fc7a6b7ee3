import { describe, expect, it } from 'vitest';
import type { OpenTape } from '../../../../electron/recordings/tape/tape-archive.ts';
import type { TapeLine, TapeCoding } from '../../../../electron/recordings/tape/tape.ts';
import {
  patchCaption,
  type CaptionedTurn,
  type CaptionPatch,
} from '../../../../shared/talk/talk-view.ts';
import { FakeFiles } from '../../../fakes/fake-files.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { recordTalk, type TalkScript } from '../../../fixtures/record-talk.ts';
import { storedTape, storedTapes, renderInSteps, tapeIn } from '../../../fixtures/stored-tape.ts';
import { PictureThread } from '../../../../electron/platform/pictures/picture-thread.ts';
import { createFrames } from '../../../../electron/platform/pictures/pictures.ts';
import { bufferBase64, startSha256 } from '../../../../electron/platform/system/base64-sha256.ts';
import { repairTape } from '../../../../electron/recordings/edit/tape-tools.ts';
import { redactTape } from '../../../../electron/recordings/redact/redact-tape.ts';
import { checkTape, tapeFileNames } from '../../../../electron/recordings/tape/inspect-tape.ts';
import { convertToFlac } from '../../../fixtures/pack-tape.ts';

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
    // The talk stretched sound, and the replay does not. So the replay's captions run ahead, but by too little to be seen.
    expect(Math.max(...late.map(Math.abs))).toBeLessThanOrEqual(120);
  });
});

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

const base64 = bufferBase64;

async function recorded(sound: TapeCoding) {
  const files = new FakeFiles();
  files.putFolder('/talks');
  await recordTalk('/talks/t', files, {
    sound: sound === 'flac' ? 'pcm16' : sound,
    bothSides: true,
    digest: startSha256,
    speaks: (ms) => ms < 1500,
    actions: [[6000, (talk) => talk.end()]],
  });
  if (sound === 'flac') await convertToFlac('/talks/t', files);
  return files;
}

async function shown(files: FakeFiles, folder = '/talks/t') {
  const tape = await tapeIn(folder, files);
  const { rendered } = await renderInSteps(tape);
  const frames = tape.lines.map((line) =>
    'frame' in line ? JSON.stringify(tape.frame(line.frame)) : '',
  );
  tape.close();
  return { header: tape.header, notices: JSON.stringify(rendered.notices), frames };
}

describe.each(['float32', 'pcm16', 'flac'] as const)('a tape in %s', (sound) => {
  it('names its coding, unless it is float32, and renders the same twice', async () => {
    const files = await recorded(sound);
    const first = await shown(files);
    expect(first.header.sound).toBe(sound === 'float32' ? undefined : sound);
    expect(await shown(files)).toEqual(first);
    expect(first.notices).toContain('caption');
    const ending = sound === 'flac' ? 'flac' : 'wav';
    expect(files.names()).toContain(`/talks/t/microphone.${ending}`);
    expect(files.names()).toContain('/talks/t/both.wav');
  });

  it('is checked, listed, redacted and repaired with all its files', async () => {
    const files = await recorded(sound);
    const digest = startSha256;
    expect(await checkTape('/talks/t', { files, digest })).toMatchObject({
      value: { state: 'whole', changed: [] },
    });
    const ending = sound === 'flac' ? 'flac' : 'wav';
    const names = await tapeFileNames('/talks/t', { files });
    const own = [`answer.${ending}`, `microphone.${ending}`, 'tape.ndjson'];
    expect(names.ok && names.value.toSorted()).toEqual(own);
    const redacted = await redactTape('/talks/t', '/redacted', {
      files,
      base64,
      frames: createFrames(new PictureThread()),
    });
    expect(redacted).toMatchObject({ value: { state: 'whole' } });
    expect(files.names()).toContain('/redacted/answer.wav');

    const path = `/talks/t/answer.${ending}`;
    const before = files.bytes(path);
    files.put(path, before.subarray(0, before.length * 0.7));
    expect(await checkTape('/talks/t', { files, digest })).toMatchObject({
      value: { state: 'damaged', changed: [`answer.${ending}`] },
    });
    expect(await repairTape('/talks/t', '/mended', { files, base64 })).toMatchObject({
      value: { state: 'early' },
    });
    const [cut, mended] = [await shown(files), await shown(files, '/mended')];
    expect(mended).toEqual(cut);
    expect(mended.frames.length).toBeGreaterThan(5);
  });
});

it('the tape of a talk that was quit during a reconnect ends with the quit', async () => {
  const files = new FakeFiles();
  await recordTalk('/tape', files, talks['a lost connection'] as TalkScript);
  const tape = await tapeIn('/tape', files);
  const lines = tape.lines.slice(0, tape.lines.findIndex(({ dir }) => dir === 'end') + 1);
  const { rendered } = await renderInSteps({ ...tape, lines });
  expect(rendered.lengthMs - (lines.at(-1)?.at ?? 0)).toBeLessThan(1000);
});

it('a pcm16 tape rounds the sound to 16 bits and nothing else', async () => {
  const [exact, wav, flac] = [
    await shown(await recorded('float32')),
    await shown(await recorded('pcm16')),
    await shown(await recorded('flac')),
  ];
  expect(flac.frames).toEqual(wav.frames);
  expect(flac.frames).toHaveLength(exact.frames.length);
  expect(flac.frames).not.toEqual(exact.frames);
  for (const [at, frame] of exact.frames.entries()) {
    const other = flac.frames[at] ?? '';
    expect(other.length).toBe(frame.length);
    const sounds = [frame, other].map((text) => {
      const [, inner] = /"audio":"([^"]+)"/u.exec(text) ?? [];
      return new Float32Array((base64.decode(inner ?? '') ?? new Uint8Array()).slice().buffer);
    });
    const furthest = sounds[0]?.reduce(
      (most, sample, n) => Math.max(most, Math.abs(sample - (sounds[1]?.[n] ?? NaN))),
      0,
    );
    expect(furthest).toBeLessThanOrEqual(1 / 32_768);
  }
});

/** Answers arrive in pieces of a second, and play for several seconds. */
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
    // Only sound that was playing at the deletion is lost with the old tape.
    const firstOff =
      (restarted.turns[0]?.from ?? 0) + beginsAt - Math.max(beginsAt, after[0]?.from ?? 0);
    expect(firstOff).toBeLessThan(1000);
  });
});
