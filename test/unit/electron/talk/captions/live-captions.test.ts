import { describe, expect, it } from 'vitest';
import {
  CaptionTimeline,
  type Cue,
  LiveCaptions,
} from '../../../../../electron/talk/captions/live-captions.ts';
import type { CaptionPatch } from '../../../../../shared/talk/captions.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
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

  it('are emitted as changes only', () => {
    const harness = new ConversationHarness().live().says('one two', 2).ends().pass(3000);
    const patches = harness.emittedOf('caption').map(({ patch }) => patch);
    expect(patches[0]).toEqual({ turn: 1, added: 'one two' });
    expect(patches.length).toBeLessThanOrEqual(4);
    expect(patches.at(-1)).toEqual({ turn: 1, settled: true });
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

  it('set no timer while it is quiet', () => {
    const clock = new FakeClock();
    let planned = 0;
    const after: FakeClock['after'] = (ms, run) => {
      planned += 1;
      return clock.after(ms, run);
    };
    const deps = { clock: { now: clock.now, after } };
    const harness = new ConversationHarness({}, deps, clock)
      .live()
      .says('one', 1)
      .ends()
      .pass(2000);
    const before = planned;
    harness.pass(60_000);
    // The session's limits set a timer now and then.
    expect(planned - before).toBeLessThan(5);
  });

  it('never take back a heard word', () => {
    const harness = new ConversationHarness().live();
    let before = 0;
    for (let step = 0; step < 20; step += 1) {
      harness.says(` word${step} and more of it`, step % 3 === 0 ? 0 : 0.7).pass(700);
      const { heard = 0 } = harness.caption(1) ?? {};
      expect(heard).toBeGreaterThanOrEqual(before);
      before = heard;
    }
    harness.talk.interrupt();
    const caption = harness.pass(100).caption(1);
    expect(caption?.cutFrom).toBe(caption?.heard);
    expect(caption?.heard).toBeGreaterThanOrEqual(before);
  });

  it('follow one turn after another', () => {
    const harness = new ConversationHarness()
      .live()
      .says('one two', 2)
      .ends()
      .says('three four', 2, 2)
      .ends(2);
    harness.pass(1000);
    expect(harness.shown(2)).toBe('|three four');
    harness.pass(1400);
    expect(harness.shown(1)).toBe('one two|');
    expect(harness.shown(2)).toMatch(/^three/);
    expect(harness.pass(3000).shown(2)).toBe('three four|');
  });

  it('drop turns that were heard', () => {
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
      expect(captions.heardSoFar.length).toBeLessThanOrEqual(1);
    }
    captions.update(200_000);
    expect(captions.heardSoFar).toEqual([]);
    expect(settled).toHaveLength(200);
    expect(settled.at(-1)).toBe('turn 200');
  });
});

describe('an answer whose session is gone', () => {
  it('can still be silenced, and the next answer does not change it', () => {
    const patches: CaptionPatch[] = [];
    const captions = new LiveCaptions({
      onPatch: (patch) => void patches.push(patch),
      onSettled: () => undefined,
    });
    captions.addText(1, 'one two three four');
    captions.addAudio(1, new Float32Array(96_000).fill(0.5));
    captions.abandon();
    captions.update(24_000);
    const heard = patches.findLast((patch) => patch.heard !== undefined)?.heard;
    captions.cut(() => 24_000);
    captions.update(24_000);
    expect(patches.at(-1)).toMatchObject({ turn: 1, cutFrom: heard, settled: true });
    patches.length = 0;
    captions.addText(2, 'five');
    captions.addAudio(2, new Float32Array(48_000).fill(0.5));
    captions.update(60_000);
    expect(patches.filter(({ turn }) => turn === 1)).toEqual([]);
    expect(patches.some((patch) => patch.turn === 2 && (patch.heard ?? 0) > 0)).toBe(true);
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

  it('stay empty for sound without text, which plays', () => {
    const harness = new ConversationHarness().live().says('', 2).ends().pass(3000);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.emittedOf('caption').every(({ patch }) => patch.added === undefined)).toBe(true);
  });

  it('follow 30 s at once to the end, or stop at once', () => {
    const words = Array.from({ length: 90 }, (_, at) => `word${at}`).join(' ');
    const whole = new ConversationHarness()
      .live()
      .says(words, 30)
      .ends()
      .listens(false)
      .pass(31_000);
    expect(whole.shown(1)).toBe(`${words}|`);
    const cut = new ConversationHarness().live().says(words, 30).ends().pass(2000);
    cut.talk.interrupt();
    expect(cut.speaker.queued()).toBe(0);
    expect(cut.pass(100).caption(1)?.cutFrom).toBeLessThan(80);
  });

  it('are limited if it repeats itself forever', () => {
    const harness = new ConversationHarness().live();
    for (let step = 0; step < 400; step += 1) harness.says('again and again. '.repeat(10), 0.01);
    harness.ends().pass(5000);
    expect(harness.caption(1)?.text.length).toBe(20_000);
    expect(harness.caption(1)?.settled).toBe(true);
  });

  it('lose nothing if it ends within a word', () => {
    const harness = new ConversationHarness()
      .live()
      .says('this is the mid', 1)
      .ends()
      .says('dle of it', 1, 2)
      .ends(2);
    harness.pass(3000);
    expect([harness.shown(1), harness.shown(2)]).toEqual(['this is the mid|', 'dle of it|']);
  });

  it('do not change if it is yielded without output', () => {
    const harness = new ConversationHarness().live().listens(true).listens(true).ends(7).pass(100);
    expect(harness.emittedOf('listen').map(({ flushedSamples }) => flushedSamples)).toEqual([0, 0]);
    expect(harness.emittedOf('caption')).toEqual([]);
  });
});

describe('a clock that jumps', () => {
  it('forward by an hour leaves sound and words intact', () => {
    const harness = new ConversationHarness().live().says('one two three four', 4).pass(1000);
    harness.clock.advance(3_600_000);
    harness.says(' five', 1).ends().pass(2000);
    expect(harness.shown(1)).toBe('one two three four five|');
  });
});

/** Samples in this many milliseconds. */
const ms = (count: number): number => count * 24;

describe('the time of a sample of the answer', () => {
  it('follows the sound alone without observations', () => {
    const timeline = new CaptionTimeline();
    expect([timeline.startOf(ms(700)), timeline.endOf(ms(700))]).toEqual([700, 700]);
  });

  it('counts from the first sample heard', () => {
    const timeline = new CaptionTimeline();
    timeline.observe(0, 500);
    timeline.observe(ms(100), 600);
    expect([timeline.startOf(0), timeline.endOf(0), timeline.startOf(ms(1000))]).toEqual([
      500, 500, 1500,
    ]);
  });

  it('counts from the first sample heard if observed later', () => {
    const timeline = new CaptionTimeline();
    timeline.observe(ms(100), 130);
    expect([timeline.startOf(0), timeline.startOf(ms(100))]).toEqual([30, 130]);
  });

  it('is never negative', () => {
    const timeline = new CaptionTimeline();
    timeline.observe(ms(100), 60);
    expect(timeline.startOf(0)).toBe(0);
    expect(timeline.startOf(ms(100))).toBe(100);
  });

  it('has a pause between the end of one sample and the start of the next', () => {
    const timeline = new CaptionTimeline();
    timeline.observe(ms(100), 600);
    timeline.observe(ms(100), 1000);
    timeline.observe(ms(200), 1100);
    expect([timeline.endOf(ms(100)), timeline.startOf(ms(100))]).toEqual([600, 1000]);
    expect([timeline.startOf(ms(50)), timeline.endOf(ms(150))]).toEqual([550, 1050]);
  });

  it('ignores a pause of 40 ms and counts one of 41 ms', () => {
    const timeline = new CaptionTimeline();
    timeline.observe(ms(100), 100);
    timeline.observe(ms(200), 240);
    expect(timeline.startOf(ms(200))).toBe(200);
    timeline.observe(ms(300), 341);
    expect([timeline.startOf(ms(200)), timeline.startOf(ms(300))]).toEqual([241, 341]);
    timeline.observe(ms(400), 445);
    expect(timeline.startOf(ms(400))).toBe(441);
  });

  it('ignores a playhead that goes back', () => {
    const timeline = new CaptionTimeline();
    timeline.observe(ms(100), 100);
    timeline.observe(ms(50), 900);
    timeline.observe(ms(200), 200);
    expect(timeline.startOf(ms(200))).toBe(200);
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
