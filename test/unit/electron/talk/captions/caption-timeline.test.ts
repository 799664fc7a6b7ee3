import { describe, expect, it } from 'vitest';
import {
  CaptionTimeline,
  type Cue,
  LiveCaptions,
} from '../../../../../electron/talk/captions/live-captions.ts';

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
