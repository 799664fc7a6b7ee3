import { describe, expect, it } from 'vitest';
import { sceneAfter } from '../../../../../shared/recordings/replay-view.ts';
import { CountedPage } from '../../../../fakes/counted-page.ts';
import { fakeJpeg } from '../../../../fakes/fake-pictures.ts';
import type { TalkScript } from '../../../../fixtures/record-talk.ts';
import { ReplayHarness } from '../../../../unit/electron/talk/replay-harness.ts';

const talk: TalkScript = {
  mode: 'video',
  speaks: (ms) => ms < 2000,
  actions: [
    [1500, (one) => one.pushFrame(fakeJpeg)],
    [4650, (one) => one.interrupt()],
    [8000, (one) => one.end()],
  ],
};

const staged = async () => (await new ReplayHarness().record(talk)).opened();

describe('an opened tape', () => {
  it('shows an estimated timeline at once and the exact one after rendering', async () => {
    const stage = await new ReplayHarness().record(talk);
    await stage.ask('openReplay', { kind: 'tape', tape: 'one' });
    const first = stage.open.timeline;
    expect(first.readyMs).toBe(0);
    expect(first.turns.length).toBeGreaterThan(0);
    const kinds = first.marks.map(({ kind }) => kind);
    expect(kinds).toEqual(['picture', 'interruption']);
    await stage.pass(2000);
    const { timeline, facts } = stage.open;
    expect(timeline.readyMs).toBe(timeline.lengthMs);
    expect(timeline.marks.map(({ kind }) => kind)).toEqual(['picture', 'interruption', 'ending']);
    expect(timeline.turns[0]).toMatchObject({ turn: 1, cut: true });
    expect(Math.max(...timeline.ribbon.you.subarray(0, 40))).toBeGreaterThan(100);
    expect(Math.max(...timeline.ribbon.parley)).toBeGreaterThan(100);
    expect(facts).toMatchObject({ mode: 'video', cut: false });
  });

  it.each([
    ['replayTapeGone', { kind: 'tape', tape: 'two' }],
    ['notTape', { kind: 'example', example: 'voice' }],
  ] as const)('explains why it cannot open: %s', async (code, source) => {
    const stage = new ReplayHarness();
    await expect(stage.ask('openReplay', source)).rejects.toMatchObject({
      error: { code },
    });
    expect(stage.replay.view).toEqual({ kind: 'none' });
  });

  it('opens from its folder, its line file, or an archive', async () => {
    const stage = await new ReplayHarness().record(talk);
    for (const path of ['/tapes/one', '/tapes/one/tape.ndjson', '/elsewhere/my.parleytape']) {
      expect(await stage.replay.openPath(path)).toEqual({ ok: true, value: undefined });
      expect(stage.open.facts.mode).toBe('video');
    }
    await stage.replay.end();
    expect(stage.removed).toEqual(['/tapes/one']);
    expect(await stage.replay.openPath('/tapes/none')).toMatchObject({ ok: false });
    expect(stage.replay.view).toMatchObject({
      kind: 'failed',
      origin: { kind: 'file', name: 'none' },
    });
  });

  it('is not tied to the page that played it', async () => {
    const stage = await new ReplayHarness().record(talk);
    const page = new CountedPage();
    for (let times = 0; times < 2; times += 1) {
      await stage.ask('openReplay', { kind: 'tape', tape: 'one' });
      await stage.ask('playReplay', undefined, page);
      await stage.ask('pauseReplay', undefined, page);
      await stage.ask('playReplay', undefined, page);
      expect(page.waiting).toBe(1);
    }
    await stage.ask('closeReplay', undefined, page);
    expect(page.waiting).toBe(0);
  });

  it('is required before any other request', async () => {
    const stage = new ReplayHarness();
    const error = { error: { code: 'noReplay' } };
    await expect(stage.ask('playReplay', undefined)).rejects.toMatchObject(error);
    await expect(stage.ask('seekReplay', { at: 5 })).rejects.toMatchObject(error);
  });
});

describe('a replay', () => {
  it('repeats the notices of the talk at their times and then ends', async () => {
    const stage = await staged();
    const { lengthMs } = stage.open.timeline;
    await stage.ask('playReplay', undefined);
    await stage.pass(3000);
    expect(stage.open.play.playing).toBe(true);
    expect(Math.abs(stage.open.play.at - 3000)).toBeLessThan(60);
    const before = stage.of('replayed').flat();
    expect(before.every(({ at }) => at <= stage.open.play.at)).toBe(true);
    await stage.pass(lengthMs);
    expect(stage.open.play).toMatchObject({ playing: false, at: lengthMs });
    const all = stage.of('replayed').flat();
    const first = stage.of('replayChanged').findLast((view) => view.kind === 'open');
    const scene = first?.kind === 'open' ? first.scene : undefined;
    expect(scene && all.reduce(sceneAfter, scene)).toEqual(stage.open.scene);
    expect(stage.speakers.at(-1)?.ended).toBe(true);
  });

  it.each([0.5, 1, 2, 4] as const)('plays at %s times the speed, in time', async (speed) => {
    const stage = await staged();
    await stage.ask('setReplaySpeed', { speed });
    await stage.ask('playReplay', undefined);
    await stage.pass(2000 / speed);
    expect(Math.abs(stage.open.play.at - 2000)).toBeLessThan(80 * speed);
    expect(stage.open.play.sound).toBe('heard');
    const heard = stage.speakers[0]?.output ?? [];
    expect(Math.abs(heard.length - (2000 / speed) * 24)).toBeLessThan(2400);
    expect(Math.max(...heard)).toBeGreaterThan(0.05);
  });

  it('plays the same sound twice, sample by sample', async () => {
    const listen = async () => {
      const stage = await staged();
      await stage.ask('setReplaySpeed', { speed: 1.5 });
      await stage.ask('playReplay', undefined);
      await stage.pass(4000);
      return stage.speakers[0]?.output;
    };
    expect(await listen()).toEqual(await listen());
  });

  it('reports that it is silent at eight times the speed', async () => {
    const stage = await staged();
    await stage.ask('setReplaySpeed', { speed: 8 });
    await stage.ask('playReplay', undefined);
    await stage.pass(500);
    expect(stage.open.play.sound).toBe('tooFast');
    expect(Math.abs(stage.open.play.at - 4000)).toBeLessThan(500);
    expect(stage.speakers).toEqual([]);
  });

  it('follows the clock without a device and is heard once one appears', async () => {
    const stage = await staged();
    stage.devicePresent = false;
    await stage.ask('playReplay', undefined);
    await stage.pass(1000);
    expect(stage.open.play).toMatchObject({ playing: true, sound: 'noDevice' });
    expect(Math.abs(stage.open.play.at - 1000)).toBeLessThan(60);
    const [speaker] = stage.speakers;
    if (speaker === undefined) throw new Error('The speaker has not been opened.');
    speaker.present = true;
    speaker.tell();
    await stage.pass(1000);
    expect(stage.open.play.sound).toBe('heard');
    expect(Math.abs(stage.open.play.at - 2000)).toBeLessThan(100);
    expect(speaker.output.length).toBeGreaterThan(20_000);
  });

  it('posts its position at most ten times a second and only while playing', async () => {
    const stage = await staged();
    await stage.ask('playReplay', undefined);
    stage.posted.length = 0;
    await stage.pass(2000);
    expect(stage.of('replayPlay').length).toBeLessThanOrEqual(20);
    expect(stage.of('replayPlay').length).toBeGreaterThan(10);
    await stage.ask('pauseReplay', undefined);
    stage.posted.length = 0;
    await stage.pass(2000);
    expect(stage.posted).toEqual([]);
  });

  it('pauses for a talk and refuses to play during one', async () => {
    const stage = await staged();
    await stage.ask('playReplay', undefined);
    await stage.pass(500);
    await stage.lock.preempt();
    expect(stage.open.play.playing).toBe(false);
    expect(stage.speakers[0]?.ended).toBe(true);
    stage.talk.isActive = true;
    await expect(stage.ask('playReplay', undefined)).rejects.toMatchObject({
      error: { code: 'talkHasSound' },
    });
  });

  it('pauses when the page that plays it closes', async () => {
    const stage = await staged();
    let go: () => void = () => undefined;
    const page = {
      hasRecentInput: () => true,
      whenGone: (run: () => void) => {
        go = run;
        return () => undefined;
      },
    };
    await stage.ask('playReplay', undefined, page);
    await stage.pass(200);
    go();
    await stage.pass(50);
    expect(stage.open.play.playing).toBe(false);
  });

  it('shows the wire only to pages with an open inspector', async () => {
    const stage = await staged();
    await stage.ask('setReplaySpeed', { speed: 8 });
    await stage.ask('playReplay', undefined);
    await stage.pass(500);
    expect(stage.of('replayWire')).toEqual([]);
    stage.watched = true;
    await stage.pass(500);
    const frames = stage.of('replayWire').flatMap((batch) => batch.frames);
    expect(frames.length).toBeGreaterThan(3);
    expect(frames.some(({ text }) => text.includes('samples›'))).toBe(true);
  });
});

describe('the cursor', () => {
  it('seeks to any time with the same result as playing up to it', async () => {
    const stage = await staged();
    const rendered = stage.open.timeline;
    for (const at of [0, 3000, 5000, 1000, rendered.lengthMs]) {
      await stage.ask('seekReplay', { at });
      expect(stage.open.play.at).toBe(at);
      expect(stage.of('replayScene').at(-1)).toEqual(stage.open.scene);
    }
    expect(stage.open.scene.talk.state.phase).toBe('ended');
    await stage.ask('seekReplay', { at: 1e9 });
    expect(stage.open.play.at).toBe(rendered.lengthMs);
  });

  it('seeks to a clicked word', async () => {
    const stage = await staged();
    const { turn, text } = stage.open.scene.talk.captions[0] ?? { turn: 1, text: '' };
    await stage.ask('seekReplay', { at: stage.open.timeline.lengthMs });
    const caption = stage.open.scene.talk.captions[0];
    if (caption === undefined) throw new Error(`Nothing was said: ${turn} ${text}`);
    const letter = Math.floor(caption.heard / 2);
    await stage.ask('seekReplayWord', { turn: caption.turn, letter });
    const there = stage.open.scene.talk.captions[0];
    expect(there?.heard).toBeGreaterThan(letter);
    expect(there?.heard).toBeLessThan(caption.heard);
  });

  it('steps from event to event in both directions', async () => {
    const stage = await staged();
    const { marks, turns } = stage.open.timeline;
    const at = (kind: string) => marks.find((mark) => mark.kind === kind)?.at;
    await stage.ask('stepReplay', { to: 'interruption', way: 'next' });
    expect(stage.open.play.at).toBe(at('interruption'));
    await stage.ask('stepReplay', { to: 'picture', way: 'previous' });
    expect(stage.open.play.at).toBe(at('picture'));
    await stage.ask('stepReplay', { to: 'turn', way: 'next' });
    expect(stage.open.play.at).toBe(turns[0]?.from);
    await stage.ask('stepReplay', { to: 'any', way: 'next' });
    expect(stage.open.play.at).toBe(at('interruption'));
    await stage.ask('stepReplay', { to: 'trouble', way: 'next' });
    expect(stage.open.play.at).toBe(at('interruption'));
  });

  it('serves the pictures as the model got them', async () => {
    const stage = await staged();
    const { jpeg } = await stage.ask('replayPicture', { picture: 0 });
    expect(jpeg).toEqual(fakeJpeg);
    await expect(stage.ask('replayPicture', { picture: 1 })).rejects.toMatchObject({
      error: { code: 'mediaGone' },
    });
  });
});
