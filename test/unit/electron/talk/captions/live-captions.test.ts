import { describe, expect, it } from 'vitest';
import { LiveCaptions } from '../../../../../electron/talk/captions/live-captions.ts';
import type { CaptionPatch } from '../../../../../shared/talk/captions.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { Stage } from '../stage.ts';

describe('live captions', () => {
  it('move from upcoming to heard word by word, with the sound', () => {
    const stage = new Stage().live().says('one two three four', 4).ends();
    expect(stage.shown(1)).toBe('|one two three four');
    expect(stage.pass(600).shown(1)).toBe('one| two three four');
    stage.pass(4000);
    expect(stage.shown(1)).toBe('one two three four|');
    expect(stage.caption(1)?.settled).toBe(true);
  });

  it('are emitted as changes only', () => {
    const stage = new Stage().live().says('one two', 2).ends().pass(3000);
    const patches = stage.emittedOf('caption').map(({ patch }) => patch);
    expect(patches[0]).toEqual({ turn: 1, added: 'one two' });
    expect(patches.length).toBeLessThanOrEqual(4);
    expect(patches.at(-1)).toEqual({ turn: 1, settled: true });
  });

  it('follow the sound and not a clock, so a lost speaker stops them', () => {
    const stage = new Stage().live().says('one two three four', 4).ends().pass(1500);
    stage.speaker.lost = true;
    const before = stage.shown(1);
    expect(stage.pass(5000).shown(1)).toBe(before);
    stage.speaker.lost = false;
    expect(stage.pass(4000).shown(1)).toBe('one two three four|');
  });

  it('set no timer while it is quiet', () => {
    const clock = new FakeClock();
    let planned = 0;
    const after: FakeClock['after'] = (ms, run) => {
      planned += 1;
      return clock.after(ms, run);
    };
    const deps = { clock: { now: clock.now, after } };
    const stage = new Stage({}, deps, clock).live().says('one', 1).ends().pass(2000);
    const before = planned;
    stage.pass(60_000);
    // The session's limits set a timer now and then.
    expect(planned - before).toBeLessThan(5);
  });

  it('never take back a heard word', () => {
    const stage = new Stage().live();
    let before = 0;
    for (let step = 0; step < 20; step += 1) {
      stage.says(` word${step} and more of it`, step % 3 === 0 ? 0 : 0.7).pass(700);
      const { heard = 0 } = stage.caption(1) ?? {};
      expect(heard).toBeGreaterThanOrEqual(before);
      before = heard;
    }
    stage.talk.interrupt();
    const caption = stage.pass(100).caption(1);
    expect(caption?.cutFrom).toBe(caption?.heard);
    expect(caption?.heard).toBeGreaterThanOrEqual(before);
  });

  it('follow one turn after another', () => {
    const stage = new Stage().live().says('one two', 2).ends().says('three four', 2, 2).ends(2);
    stage.pass(1000);
    expect(stage.shown(2)).toBe('|three four');
    stage.pass(1400);
    expect(stage.shown(1)).toBe('one two|');
    expect(stage.shown(2)).toMatch(/^three/);
    expect(stage.pass(3000).shown(2)).toBe('three four|');
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
    const stage = new Stage().live().says('only text', 0).pass(1000);
    expect(stage.shown(1)).toBe('|only text');
    expect(stage.ends().shown(1)).toBe('only text|');
  });

  it('cut text without sound when the model yields', () => {
    const stage = new Stage().live().says('only text', 0).listens(true);
    expect(stage.pass(100).shown(1)).toBe('|~only text');
  });

  it('stay empty for sound without text, which plays', () => {
    const stage = new Stage().live().says('', 2).ends().pass(3000);
    expect(stage.speaker.queued()).toBe(0);
    expect(stage.emittedOf('caption').every(({ patch }) => patch.added === undefined)).toBe(true);
  });

  it('follow 30 s at once to the end, or stop at once', () => {
    const words = Array.from({ length: 90 }, (_, at) => `word${at}`).join(' ');
    const whole = new Stage().live().says(words, 30).ends().listens(false).pass(31_000);
    expect(whole.shown(1)).toBe(`${words}|`);
    const cut = new Stage().live().says(words, 30).ends().pass(2000);
    cut.talk.interrupt();
    expect(cut.speaker.queued()).toBe(0);
    expect(cut.pass(100).caption(1)?.cutFrom).toBeLessThan(80);
  });

  it('are limited if it repeats itself forever', () => {
    const stage = new Stage().live();
    for (let step = 0; step < 400; step += 1) stage.says('again and again. '.repeat(10), 0.01);
    stage.ends().pass(5000);
    expect(stage.caption(1)?.text.length).toBe(20_000);
    expect(stage.caption(1)?.settled).toBe(true);
  });

  it('lose nothing if it ends within a word', () => {
    const stage = new Stage()
      .live()
      .says('this is the mid', 1)
      .ends()
      .says('dle of it', 1, 2)
      .ends(2);
    stage.pass(3000);
    expect([stage.shown(1), stage.shown(2)]).toEqual(['this is the mid|', 'dle of it|']);
  });

  it('do not change if it is yielded without output', () => {
    const stage = new Stage().live().listens(true).listens(true).ends(7).pass(100);
    expect(stage.emittedOf('listen').map(({ flushedSamples }) => flushedSamples)).toEqual([0, 0]);
    expect(stage.emittedOf('caption')).toEqual([]);
  });
});

describe('a clock that jumps', () => {
  it('forward by an hour leaves sound and words intact', () => {
    const stage = new Stage().live().says('one two three four', 4).pass(1000);
    stage.clock.advance(3_600_000);
    stage.says(' five', 1).ends().pass(2000);
    expect(stage.shown(1)).toBe('one two three four five|');
  });
});
