import { describe, expect, it } from 'vitest';
import { sceneAfter } from '../../../../../shared/recordings/replay-view.ts';
import { fakeJpeg } from '../../../../fakes/fake-pictures.ts';
import { deferred } from '../../../../fakes/promises.ts';
import type { TalkScript } from '../../../../fixtures/record-talk.ts';
import { ReplayHarness } from '../../../../unit/electron/recordings/replay/replay-harness.ts';

const talk: TalkScript = {
  mode: 'video',
  speaks: (ms) => ms < 2000,
  actions: [
    [1500, (one) => one.pushFrame(fakeJpeg)],
    [4650, (one) => one.interrupt()],
    [8000, (one) => one.end()],
  ],
};

const openedReplay = async () => (await new ReplayHarness().record(talk)).opened();

describe('an opened tape', () => {
  it('shows an estimated timeline at once, and the exact timeline after rendering', async () => {
    const harness = await new ReplayHarness().record(talk);
    await harness.ask('openReplay', { kind: 'tape', tape: 'one' });
    const first = harness.open.timeline;
    expect(first.readyMs).toBe(0);
    expect(first.turns.length).toBeGreaterThan(0);
    const kinds = first.marks.map(({ kind }) => kind);
    expect(kinds).toEqual(['picture', 'interruption']);
    await harness.pass(2000);
    const { timeline, facts } = harness.open;
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
  ] as const)('reports why it could not be opened: %s', async (code, source) => {
    const harness = new ReplayHarness();
    await expect(harness.ask('openReplay', source)).rejects.toMatchObject({
      error: { code },
    });
    expect(harness.replay.view).toEqual({ kind: 'none' });
  });

  it('opens from its folder, its line file, or an archive', async () => {
    const harness = await new ReplayHarness().record(talk);
    for (const path of ['/tapes/one', '/tapes/one/tape.ndjson', '/elsewhere/my.parleytape']) {
      expect(await harness.replay.openPath(path)).toEqual({ ok: true, value: undefined });
      expect(harness.open.facts.mode).toBe('video');
      // The system or a command opens it without a page that would play it.
      expect(harness.open.play.playing).toBe(true);
    }
    await harness.replay.end();
    expect(harness.removed).toEqual(['/tapes/one']);
    expect(await harness.replay.openPath('/tapes/none')).toMatchObject({ ok: false });
    expect(harness.replay.view).toMatchObject({
      kind: 'failed',
      origin: { kind: 'file', name: 'none' },
    });
  });
});

describe('a replay', () => {
  it('repeats the notices of the talk at their times and then ends', async () => {
    const harness = await openedReplay();
    const { lengthMs } = harness.open.timeline;
    await harness.ask('playReplay', undefined);
    await harness.pass(3000);
    expect(harness.open.play.playing).toBe(true);
    expect(Math.abs(harness.open.play.at - 3000)).toBeLessThan(60);
    const before = harness.of('replayed').flat();
    expect(before.every(({ at }) => at <= harness.open.play.at)).toBe(true);
    await harness.pass(lengthMs);
    expect(harness.open.play).toMatchObject({ playing: false, at: lengthMs });
    const all = harness.of('replayed').flat();
    const first = harness.of('replayChanged').findLast((view) => view.kind === 'open');
    const scene = first?.kind === 'open' ? first.scene : undefined;
    expect(scene && all.reduce(sceneAfter, scene)).toEqual(harness.open.scene);
    expect(harness.speakers.at(-1)?.ended).toBe(true);
  });

  it.each([0.5, 1, 2, 4] as const)('plays at %s times the speed, in time', async (speed) => {
    const harness = await openedReplay();
    await harness.ask('setReplaySpeed', { speed });
    await harness.ask('playReplay', undefined);
    await harness.pass(2000 / speed);
    expect(Math.abs(harness.open.play.at - 2000)).toBeLessThan(80 * speed);
    expect(harness.open.play.sound).toBe('heard');
    const heard = harness.speakers[0]?.output ?? [];
    expect(Math.abs(heard.length - (2000 / speed) * 24)).toBeLessThan(2400);
    expect(Math.max(...heard)).toBeGreaterThan(0.05);
  });

  it('reports that there is no sound at eight times the speed', async () => {
    const harness = await openedReplay();
    await harness.ask('setReplaySpeed', { speed: 8 });
    await harness.ask('playReplay', undefined);
    await harness.pass(500);
    expect(harness.open.play.sound).toBe('tooFast');
    expect(Math.abs(harness.open.play.at - 4000)).toBeLessThan(500);
    expect(harness.speakers).toEqual([]);
  });

  it('follows the clock if there is no device, and is heard when a device appears', async () => {
    const harness = await openedReplay();
    harness.devicePresent = false;
    await harness.ask('playReplay', undefined);
    await harness.pass(1000);
    expect(harness.open.play).toMatchObject({ playing: true, sound: 'noDevice' });
    expect(Math.abs(harness.open.play.at - 1000)).toBeLessThan(60);
    const [speaker] = harness.speakers;
    if (speaker === undefined) throw new Error('The speaker has not been opened.');
    speaker.present = true;
    speaker.tell();
    await harness.pass(1000);
    expect(harness.open.play.sound).toBe('heard');
    expect(Math.abs(harness.open.play.at - 2000)).toBeLessThan(100);
    expect(speaker.output.length).toBeGreaterThan(20_000);
  });

  it('posts its position at most ten times a second and only while playing', async () => {
    const harness = await openedReplay();
    await harness.ask('playReplay', undefined);
    harness.posted.length = 0;
    await harness.pass(2000);
    expect(harness.of('replayPlay').length).toBeLessThanOrEqual(20);
    expect(harness.of('replayPlay').length).toBeGreaterThan(10);
    await harness.ask('pauseReplay', undefined);
    harness.posted.length = 0;
    await harness.pass(2000);
    expect(harness.posted).toEqual([]);
  });

  it('pauses for a talk and refuses to play during one', async () => {
    const harness = await openedReplay();
    await harness.ask('playReplay', undefined);
    await harness.pass(500);
    await harness.lock.preempt();
    expect(harness.open.play.playing).toBe(false);
    expect(harness.speakers[0]?.ended).toBe(true);
    harness.talk.isActive = true;
    await expect(harness.ask('playReplay', undefined)).rejects.toMatchObject({
      error: { code: 'talkHasSound' },
    });
  });

  it('pauses when the page that plays it closes', async () => {
    const harness = await openedReplay();
    let go: () => void = () => undefined;
    const page = {
      hasRecentInput: () => true,
      whenGone: (run: () => void) => {
        go = run;
        return () => undefined;
      },
    };
    await harness.ask('playReplay', undefined, page);
    await harness.pass(200);
    go();
    await harness.pass(50);
    expect(harness.open.play.playing).toBe(false);
  });

  it.each(['pauseReplay', 'closeReplay'] as const)(
    'stays silent after %s while its speaker opens',
    async (request) => {
      const harness = await openedReplay();
      const opening = deferred();
      harness.device = opening.promise;
      const playing = harness.ask('playReplay', undefined);
      await harness.pass(50);
      const stopped = harness.ask(request, undefined);
      opening.resolve();
      await Promise.all([playing, stopped]);
      harness.posted.length = 0;
      await harness.pass(500);
      expect(harness.of('replayPlay')).toEqual([]);
      expect(harness.lock.isFree).toBe(true);
    },
  );

  it('is that of the tape opened last, and the earlier tape is closed', async () => {
    const harness = await openedReplay();
    const ending = deferred();
    await harness.ask('playReplay', undefined);
    for (const speaker of harness.speakers) speaker.device = ending.promise;
    const both = ['first', 'second'].map((name) =>
      harness.replay.openPath(`/elsewhere/${name}.parleytape`),
    );
    await harness.pass(50);
    ending.resolve();
    await Promise.all(both);
    expect(harness.open.origin).toMatchObject({ name: 'second.parleytape' });
    await harness.replay.end();
    expect(harness.removed).toHaveLength(2);
  });

  it('shows the wire only to pages with an open inspector', async () => {
    const harness = await openedReplay();
    await harness.ask('setReplaySpeed', { speed: 8 });
    await harness.ask('playReplay', undefined);
    await harness.pass(500);
    expect(harness.of('replayWire')).toEqual([]);
    harness.watched = true;
    await harness.pass(500);
    const frames = harness.of('replayWire').flatMap((batch) => batch.frames);
    expect(frames.length).toBeGreaterThan(3);
    expect(frames.some(({ text }) => text.includes('samples›'))).toBe(true);
  });
});

describe('the cursor', () => {
  it('seeks to any time, and posts the scene of that time', async () => {
    const harness = await openedReplay();
    const rendered = harness.open.timeline;
    for (const at of [0, 3000, 5000, 1000, rendered.lengthMs]) {
      await harness.ask('seekReplay', { at });
      expect(harness.open.play.at).toBe(at);
      expect(harness.of('replayScene').at(-1)).toEqual(harness.open.scene);
    }
    expect(harness.open.scene.talk.state.phase).toBe('ended');
    await harness.ask('seekReplay', { at: 1e9 });
    expect(harness.open.play.at).toBe(rendered.lengthMs);
  });

  it('seeks to a clicked word', async () => {
    const harness = await openedReplay();
    const { turn, text } = harness.open.scene.talk.captions[0] ?? { turn: 1, text: '' };
    await harness.ask('seekReplay', { at: harness.open.timeline.lengthMs });
    const caption = harness.open.scene.talk.captions[0];
    if (caption === undefined) throw new Error(`Nothing was said: ${turn} ${text}`);
    const letter = Math.floor(caption.heard / 2);
    await harness.ask('seekReplayWord', { turn: caption.turn, letter });
    const there = harness.open.scene.talk.captions[0];
    expect(there?.heard).toBeGreaterThan(letter);
    expect(there?.heard).toBeLessThan(caption.heard);
  });

  it('steps from event to event in both directions', async () => {
    const harness = await openedReplay();
    const { marks, turns } = harness.open.timeline;
    const at = (kind: string) => marks.find((mark) => mark.kind === kind)?.at;
    await harness.ask('stepReplay', { to: 'interruption', way: 'next' });
    expect(harness.open.play.at).toBe(at('interruption'));
    await harness.ask('stepReplay', { to: 'picture', way: 'previous' });
    expect(harness.open.play.at).toBe(at('picture'));
    await harness.ask('stepReplay', { to: 'turn', way: 'next' });
    expect(harness.open.play.at).toBe(turns[0]?.from);
    await harness.ask('stepReplay', { to: 'any', way: 'next' });
    expect(harness.open.play.at).toBe(at('interruption'));
    await harness.ask('stepReplay', { to: 'trouble', way: 'next' });
    expect(harness.open.play.at).toBe(at('interruption'));
  });

  it('serves the pictures that the model got', async () => {
    const harness = await openedReplay();
    const { jpeg } = await harness.ask('replayPicture', { picture: 0 });
    expect(jpeg).toEqual(fakeJpeg);
    await expect(harness.ask('replayPicture', { picture: 1 })).rejects.toMatchObject({
      error: { code: 'mediaGone' },
    });
  });
});
