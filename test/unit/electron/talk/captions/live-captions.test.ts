import { describe, expect, it } from 'vitest';
import {
  CaptionTimeline,
  type Cue,
  type HeardTurn,
  LiveCaptions,
} from '../../../../../electron/talk/captions/live-captions.ts';
import type { CaptionPatch } from '../../../../../shared/talk/talk-view.ts';
import { ConversationHarness } from '../conversation-harness.ts';

describe('live captions', () => {
  it('move from upcoming to heard word by word, with the sound', () => {
    const harness = new ConversationHarness().live().says('one two three four', 4).ends();
    expect(harness.shown(1)).toBe('|one two three four');
    expect(harness.pass(600).shown(1)).toBe('one| two three four');
    harness.pass(4000);
    expect(harness.shown(1)).toBe('one two three four|');
    expect(harness.caption(1)?.settled).toBe(true);
  });

  it('follow the sound and not a clock, so a lost speaker stops them', () => {
    const harness = new ConversationHarness()
      .live()
      .says('one two three four', 4)
      .ends()
      .pass(1500);
    harness.speaker.lost = true;
    const before = harness.shown(1);
    expect(harness.pass(5000).shown(1)).toBe(before);
    harness.speaker.lost = false;
    expect(harness.pass(4000).shown(1)).toBe('one two three four|');
  });

  it('drop turns that have been heard', () => {
    const settled: string[] = [];
    const captions = new LiveCaptions({
      onPatch: () => undefined,
      onSettled: ({ heard }) => void settled.push(heard),
    });
    for (let turn = 1; turn <= 200; turn += 1) {
      captions.addText(turn, `turn ${turn}`);
      captions.addAudio(turn, new Float32Array(1000));
      captions.onTurnEnd(turn);
      captions.update(turn * 1000 - 500);
      expect(captions.heardSoFar).toEqual([{ turn, heard: 'turn', cut: '' }]);
    }
    captions.update(200_000);
    expect(captions.heardSoFar).toEqual([]);
    expect(settled).toHaveLength(200);
    expect(settled.at(-1)).toBe('turn 200');
  });
});

it('a cut keeps a turn that was heard to its end, and removes later turns at once', () => {
  const patches: CaptionPatch[] = [];
  const captions = new LiveCaptions({
    onPatch: (patch) => void patches.push(patch),
    onSettled: () => undefined,
  });
  for (const [turn, text] of ['one', 'two three', 'four'].entries()) {
    captions.addText(turn, text);
    captions.addAudio(turn, new Float32Array(24_000).fill(0.5));
    captions.onTurnEnd(turn);
  }
  captions.update(24_000);
  captions.update(30_000);
  expect(patches.slice(-2)).toEqual([
    { turn: 0, heard: 3, settled: true },
    { turn: 1, heard: 3 },
  ]);
  const count = patches.length;
  captions.update(30_000);
  expect(patches).toHaveLength(count);
  captions.cut((turn) => (turn === 1 ? 24_000 : 0));
  captions.update(30_000);
  expect(patches.slice(count)).toEqual([{ turn: 2, cutFrom: 0 }]);
  captions.update(48_000);
  expect(patches.slice(-2)).toEqual([
    { turn: 1, heard: 9, settled: true },
    { turn: 2, settled: true },
  ]);
});

describe('an answer whose session is gone', () => {
  it('can still be silenced, and the next answer does not change it', () => {
    const patches: CaptionPatch[] = [];
    const settled: HeardTurn[] = [];
    const captions = new LiveCaptions({
      onPatch: (patch) => void patches.push(patch),
      onSettled: (turn) => void settled.push(turn),
    });
    captions.addText(1, 'one two three four');
    captions.addAudio(1, new Float32Array(96_000).fill(0.5));
    captions.abandon();
    captions.addText(1, ' five');
    captions.update(24_000);
    const heard = patches.findLast((patch) => patch.heard !== undefined)?.heard;
    for (const samples of [24_000, 48_000]) captions.cut(() => samples);
    captions.update(24_000);
    expect(patches.at(-1)).toMatchObject({ turn: 1, cutFrom: heard, settled: true });
    expect(settled).toEqual([{ turn: 1, heard: 'one two three', cut: ' four' }]);
    patches.length = 0;
    captions.addText(2, 'five');
    captions.addAudio(2, new Float32Array(48_000).fill(0.5));
    captions.update(60_000);
    expect(patches.filter(({ turn }) => turn === 1)).toEqual([]);
    expect(patches.some((patch) => patch.turn === 2 && (patch.heard ?? 0) > 0)).toBe(true);
  });
});

describe('the pace of a voice', () => {
  it.each([
    ['fast turn of 20 letters', 'aaaa bbbb cccc dddd', 12_360, false, 'aaaa bbbb'],
    ['turn of 19 letters', 'aaaa bbbb cccc ddd', 12_360, false, 'aaaa'],
    ['turn that was cut', 'aaaa bbbb cccc dddd', 12_360, true, 'aaaa'],
    ['turn without sound', 'aaaa bbbb cccc dddd', 0, false, 'aaaa'],
  ])('is learned only from a whole turn: %s', (_name, text, samples, isCut, heard) => {
    const captions = new LiveCaptions({ onPatch: () => undefined, onSettled: () => undefined });
    captions.addText(1, text);
    captions.addAudio(1, new Float32Array(samples).fill(0.5));
    if (isCut) captions.cut(() => samples);
    captions.onTurnEnd(1);
    captions.addText(2, 'aaaa bbbb cccc');
    for (const part of [4000, 24_000]) captions.addAudio(2, new Float32Array(part).fill(0.5));
    for (const playhead of [samples, samples + 5500]) captions.update(playhead);
    expect(captions.heardSoFar).toEqual([{ turn: 2, heard, cut: '' }]);
  });
});

describe('captions of an unusual answer', () => {
  it('count text without sound as heard when the turn ends', () => {
    const harness = new ConversationHarness().live().says('only text', 0).pass(1000);
    expect(harness.shown(1)).toBe('|only text');
    expect(harness.ends().shown(1)).toBe('only text|');
  });

  it('cut text without sound when the model yields', () => {
    const harness = new ConversationHarness().live().says('only text', 0).listens(true);
    expect(harness.pass(100).shown(1)).toBe('|~only text');
  });

  it('are cut at 20,000 letters if the answer repeats itself forever', () => {
    const harness = new ConversationHarness().live();
    for (let step = 0; step < 400; step += 1) harness.says('again and again. '.repeat(10), 0.01);
    harness.ends().pass(5000);
    expect(harness.caption(1)?.text.length).toBe(20_000);
    expect(harness.caption(1)?.settled).toBe(true);
  });
});

/** Samples in this many milliseconds. */
const ms = (count: number): number => count * 24;

type Times = Readonly<Record<number, number>>;

describe('the time of a sample of the answer', () => {
  const paused = '100 at 600, 100 at 1000, 200 at 1100';
  const late = '100 at 100, 200 at 240, 300 at 341, 400 at 445';

  it.each<[string, observed: string, starts: Times, ends: Times]>([
    ['follows the sound alone without observations', '', { 700: 700 }, { 700: 700 }],
    ['counts from the first sample', '0 at 500, 100 at 600', { 0: 500, 1000: 1500 }, { 0: 500 }],
    ['counts from the first sample if observed later', '100 at 130', { 0: 30, 100: 130 }, {}],
    ['is never negative', '100 at 60', { 0: 0, 100: 100 }, {}],
    ['has a pause at its place', paused, { 100: 1000, 50: 550 }, { 100: 600, 150: 1050 }],
    ['ignores a pause of 40 ms', '100 at 100, 200 at 240', { 200: 200 }, {}],
    ['counts a pause of 41 ms', late, { 200: 241, 300: 341, 400: 441 }, {}],
    ['ignores a playhead that goes back', '100 at 100, 50 at 900', { 100: 100 }, {}],
  ])('%s', (_name, observed, starts, ends) => {
    const timeline = new CaptionTimeline();
    for (const [, heard, at] of observed.matchAll(/(\d+) at (\d+)/gu))
      timeline.observe(ms(Number(heard)), Number(at));
    for (const [sample, at] of Object.entries(starts))
      expect(timeline.startOf(ms(Number(sample)))).toBe(at);
    for (const [sample, at] of Object.entries(ends))
      expect(timeline.endOf(ms(Number(sample)))).toBe(at);
  });
});

describe('a cue', () => {
  function cuesOf(text: string, seconds: number): readonly Cue[] {
    const cues: Cue[] = [];
    const captions = new LiveCaptions({
      onPatch: () => undefined,
      onSettled: () => undefined,
      onCue: (cue) => cues.push(cue),
    });
    captions.addText(4, text);
    captions.addAudio(4, new Float32Array(ms(seconds * 1000)).fill(0.5));
    captions.onTurnEnd(4);
    captions.update(0, 3000);
    for (let at = 100; at <= seconds * 1000; at += 100) captions.update(ms(at), 3000 + at);
    return cues;
  }

  it("has the start of each word, and the next word's start as its end", () => {
    const [cue, ...others] = cuesOf('aaa bbb ccc', 3);
    expect(others).toEqual([]);
    expect(cue?.turn).toBe(4);
    expect(cue?.words.map(({ text }) => text)).toEqual(['aaa', ' bbb', ' ccc']);
    for (const [at, { start, end }] of cue?.words.entries() ?? []) {
      expect(start).toBeCloseTo(3000 + at * 1000, -1);
      expect(end).toBeCloseTo(4000 + at * 1000, -1);
    }
  });

  it('does not exist for text without sound or sound without text', () => {
    expect([cuesOf('only text', 0), cuesOf('', 1)]).toEqual([[], []]);
  });
});
