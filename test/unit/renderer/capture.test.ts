import { describe, expect, it } from 'vitest';
import { snapshotSize } from '../../../renderer/capture/frame-grabber.ts';
import { deferred } from '../../fakes/promises.ts';
import { captureHarness, front, screen, settle } from './capture-harness.ts';

/** A harness whose capture is open for 0.1 s or as long as given. */
async function openCapture(milliseconds = 100, options = front) {
  const harness = captureHarness();
  await harness.capture.open(options);
  await harness.pass(milliseconds);
  return harness;
}

const stopped = ({ media }: ReturnType<typeof captureHarness>): readonly boolean[] =>
  media.tracks.map((track) => track.stopped);

describe('a capture controller while opening', () => {
  it('asks the core for permission first, then shows the stream', async () => {
    const { capture, media, permissions, sentSettings } = captureHarness();
    const states: string[] = [];
    capture.subscribe(() => states.push(capture.view().state));
    await capture.open(front);
    expect([permissions, sentSettings, media.opened]).toEqual([['camera'], [front], ['front']]);
    expect(states).toEqual(['opening', 'open']);
    expect(capture.view()).toMatchObject({ state: 'open', label: 'Front camera' });
    await capture.change(screen);
    expect([permissions, media.opened]).toEqual([
      ['camera', 'screen'],
      ['front', 'screen'],
    ]);
    expect(media.tracks.map((track) => track.stopped)).toEqual([true, false]);
  });

  it('opens nothing if the core does not answer', async () => {
    const { capture, media, state } = captureHarness();
    state.reachable = false;
    await capture.open(front);
    expect(media.opened).toEqual([]);
    expect(capture.view()).toEqual({ state: 'lost', reason: 'failed' });
  });

  it('finds a camera by its label when its id has changed', async () => {
    const { capture, media } = captureHarness();
    media.devices = [
      { deviceId: 'back', label: 'Back camera' },
      { deviceId: 'front-2', label: 'Front camera' },
    ];
    await capture.open(front);
    expect(media.opened).toEqual(['front-2']);
  });

  it.each([
    ['NotAllowedError', 'denied', true],
    ['SecurityError', 'denied', true],
    ['NotFoundError', 'none', true],
    ['NotReadableError', 'taken', true],
    ['AbortError', 'taken', true],
    ['OverconstrainedError', 'unplugged', true],
    ['TypeError', 'failed', false],
    ['toString', 'failed', false],
  ])('maps %s to the reason "%s"', async (name, reason, isRetried) => {
    const { capture, media, permissions } = captureHarness();
    media.refuses = name;
    await capture.open(front);
    expect(capture.view()).toEqual({ state: 'lost', reason });
    // A camera that is retried keeps its permission.
    expect(permissions).toEqual(isRetried ? ['camera'] : ['camera', 'nothing']);
  });

  it('stops a stream that arrives after closing', async () => {
    const harness = captureHarness();
    const { capture, media, permissions } = harness;
    const gate = deferred();
    media.gate = gate.promise;
    const opening = capture.open(front);
    await settle();
    await capture.close();
    gate.resolve();
    await opening;
    expect(stopped(harness)).toEqual([true]);
    expect(capture.view()).toEqual({ state: 'off' });
    expect(permissions).toEqual(['camera', 'nothing']);
  });

  it('applies settings that change while the camera opens', async () => {
    const { capture, media, offered, pass } = captureHarness();
    const gate = deferred();
    media.gate = gate.promise;
    const opening = capture.open(front);
    await settle();
    await capture.change({ ...front, rate: { framesPerSecond: 0.25 } });
    gate.resolve();
    await opening;
    await pass(8100);
    expect(offered).toHaveLength(3);
  });

  it('obeys the last of several quick requests', async () => {
    const harness = captureHarness();
    const { capture, media } = harness;
    const gate = deferred();
    media.gate = gate.promise;
    const all = [capture.open(front), capture.open(screen), capture.close(), capture.open(screen)];
    await settle();
    gate.resolve();
    await Promise.all(all);
    expect(media.opened).toEqual(['front', 'screen']);
    expect(stopped(harness)).toEqual([true, false]);
    expect(capture.view()).toMatchObject({ state: 'open', label: 'Screen 1' });
  });
});

describe('a capture controller after losing its source', () => {
  it('reopens an unplugged camera when it returns', async () => {
    const { capture, media, offered, pass } = await openCapture(0);
    const devices = media.devices;
    media.devices = [];
    media.tracks[0]?.end();
    await settle();
    expect(capture.view()).toEqual({ state: 'lost', reason: 'unplugged' });
    await pass(200);
    expect(offered).toEqual([]);
    media.devices = devices;
    media.change();
    await settle();
    expect(capture.view()).toMatchObject({ state: 'open', label: 'Front camera' });
    await pass(200);
    expect([offered.length, media.listeners]).toEqual([1, 0]);
  });

  it('retries regularly while another program uses the camera', async () => {
    const { capture, media, pass } = await openCapture(0);
    media.refuses = 'NotReadableError';
    media.tracks[0]?.end();
    await pass(3100);
    expect(media.opened).toHaveLength(2);
    expect(capture.view()).toMatchObject({ state: 'lost', reason: 'taken' });
    media.refuses = undefined;
    await pass(3100);
    expect(capture.view()).toMatchObject({ state: 'open' });
    await pass(10_000);
    expect(media.opened).toHaveLength(3);
  });

  it('asks for a revoked permission only after it is granted again', async () => {
    const { capture, media, pass } = await openCapture(0);
    media.permission = 'prompt';
    media.tracks[0]?.end();
    await settle();
    expect(capture.view()).toEqual({ state: 'lost', reason: 'withdrawn' });
    media.change();
    await pass(10_000);
    expect(media.opened).toHaveLength(1);
    media.permission = 'granted';
    media.change();
    await settle();
    expect(capture.view()).toMatchObject({ state: 'open' });
  });

  it('stops retrying once it is closed', async () => {
    const { capture, media, pass } = captureHarness();
    media.refuses = 'NotReadableError';
    await capture.open(front);
    await capture.close();
    media.refuses = undefined;
    media.change();
    await pass(10_000);
    expect([media.opened.length, media.listeners]).toEqual([1, 0]);
    expect(capture.view()).toEqual({ state: 'off' });
  });

  it('withdraws the permission when the user stops sharing a screen', async () => {
    const { capture, media, permissions, pass } = await openCapture(0, screen);
    media.tracks[0]?.end();
    await settle();
    expect(capture.view()).toEqual({ state: 'lost', reason: 'ended' });
    media.change();
    await pass(10_000);
    await capture.reconnected();
    expect(media.opened).toHaveLength(1);
    expect(permissions).toEqual(['screen', 'nothing']);
  });

  it('closes only when the core stays disconnected', async () => {
    const harness = captureHarness();
    const { capture, pass } = harness;
    capture.coreLost();
    await capture.open(front);
    capture.coreLost();
    await pass(4000);
    await capture.reconnected();
    await pass(10_000);
    expect(capture.view()).toMatchObject({ state: 'open' });
    capture.coreLost();
    await pass(5100);
    expect(capture.view()).toEqual({ state: 'off' });
    expect(stopped(harness)).toEqual([true]);
  });
});

describe('an open capture', () => {
  it('offers one frame a second, the first at once', async () => {
    const { offered } = await openCapture(3500);
    expect(offered).toEqual([50, 1000, 2000, 3000]);
  });

  it('retries a missing first picture within a tenth of a second', async () => {
    const { capture, offered, state, pass } = captureHarness();
    state.picture = false;
    await capture.open(front);
    await pass(300);
    state.picture = true;
    await pass(100);
    expect(offered).toHaveLength(1);
  });

  it('follows a changed frame rate without reopening the camera', async () => {
    const rate = (framesPerSecond: number) => ({ ...front, rate: { framesPerSecond } });
    const { capture, media, sentSettings, offered, pass } = await openCapture(3900, rate(0.5));
    expect(offered).toHaveLength(2);
    capture.setChunk(250);
    await capture.change(rate(4));
    await pass(2000);
    expect(Math.abs(offered.length - 10)).toBeLessThanOrEqual(1);
    expect([media.opened.length, sentSettings.length]).toEqual([1, 2]);
  });

  it('grabs just before the next frame is sent, after it has learned the rhythm of sent frames', async () => {
    const { capture, offered, pass } = await openCapture(0);
    for (let second = 0; second < 5; second += 1) {
      await pass(600);
      capture.frameSent();
      await pass(400);
    }
    const sinceSent = offered.slice(-3).map((at) => (at - 600 + 10_000) % 1000);
    expect(offered.length).toBeLessThanOrEqual(6);
    expect(Math.min(...sinceSent)).toBeGreaterThanOrEqual(800);
  });

  it('offers nothing while paused, and while the page is hidden only frames of a screen, not of a camera', async () => {
    const { capture, offered, state, pass } = await openCapture(0);
    capture.setPaused(true);
    await pass(3000);
    capture.setPaused(false);
    state.hidden = true;
    await pass(3000);
    expect(offered).toEqual([]);
    await capture.follow(screen);
    await pass(900);
    expect(offered).toHaveLength(1);
  });

  it('keeps offering the picture of the moment it was frozen, even on a hidden page', async () => {
    const { capture, pictures, purposes, state, pass } = await openCapture(1500);
    expect(pictures).toEqual([1, 2]);
    capture.setFrozen(true);
    await pass(100);
    state.hidden = true;
    await pass(3000);
    expect(purposes).toHaveLength(3);
    expect(pictures).toEqual([1, 2, 3, 3, 3, 3]);
    state.hidden = false;
    capture.setFrozen(false);
    await pass(100);
    expect(pictures.at(-1)).toBe(4);
  });

  it('offers a picture that was frozen before the talk', async () => {
    const { capture, pictures, pass } = captureHarness();
    capture.setActive(false);
    await capture.open(front);
    capture.setFrozen(true);
    await pass(2500);
    expect(pictures).toEqual([]);
    capture.setActive(true);
    await pass(1500);
    expect(pictures).toEqual([1, 1]);
  });

  it('freezes the current picture even if an earlier one is still being offered', async () => {
    const { capture, pictures, state, pass } = captureHarness();
    const offer = deferred();
    state.offering = offer.promise;
    await capture.open(front);
    await pass(100);
    capture.setFrozen(true);
    await pass(400);
    offer.resolve();
    await pass(150);
    expect(pictures).toEqual([1, 2]);
  });

  it('drops the frozen picture with its source', async () => {
    const { capture, pictures, pass } = await openCapture(0);
    capture.setFrozen(true);
    await pass(1500);
    await capture.follow(screen);
    await pass(1500);
    expect(pictures).toEqual([1, 1, 2, 2]);
  });

  it('grabs frames only while a talk takes them', async () => {
    const { capture, purposes, pass } = captureHarness();
    capture.setActive(false);
    await capture.open(front);
    await pass(3300);
    expect(purposes).toEqual([]);
    for (const _time of ['once', 'again']) {
      capture.setActive(true);
      await pass(50);
      expect(purposes).toHaveLength(1);
    }
  });

  it('reports unreadable frames until one is readable', async () => {
    const { capture, state, pass } = captureHarness();
    const shown: unknown[] = [];
    capture.subscribe(() => {
      const view = capture.view();
      if (view.state === 'open') shown.push(view.unreadable);
    });
    await capture.open(front);
    for (const unreadable of [true, false]) {
      state.unreadable = unreadable;
      await pass(2500);
    }
    expect(shown).toEqual([false, true, false]);
  });

  it('offers one frame at a time, and none after it was closed', async () => {
    const { capture, offered, state, pass } = captureHarness();
    const offer = deferred();
    state.offering = offer.promise;
    await capture.open(front);
    await pass(5000);
    expect(offered).toHaveLength(1);
    offer.resolve();
    await pass(1000);
    await capture.close();
    await pass(3000);
    expect(offered).toHaveLength(2);
  });

  it('grabs large pictures for a crop, and prepares only camera frames for the chosen number of slices', async () => {
    const { capture, purposes, pass } = await openCapture(100, { ...front, slices: 4 });
    capture.setFrozen(true);
    await pass(100);
    capture.setFrozen(false);
    await capture.follow(screen);
    await pass(100);
    await capture.change({ ...front, crop: { left: 0, top: 0, width: 0.5, height: 0.5 } });
    await pass(500);
    const [whole, part] = [{ kind: 'whole' }, { kind: 'part' }];
    expect(purposes).toEqual([{ kind: 'ready', slices: 4 }, whole, whole, part]);
  });

  it('sends its permission and settings again to a restarted core', async () => {
    const { capture, permissions, sentSettings } = captureHarness();
    await capture.reconnected();
    await capture.open(front);
    await capture.reconnected();
    expect([permissions, sentSettings.length]).toEqual([['camera', 'camera'], 2]);
  });
});

const whole = { kind: 'whole' } as const;
const part = { kind: 'part' } as const;
const ready = (slices: number) => ({ kind: 'ready', slices }) as const;

it.each([
  [1280, 720, whole, 1280, 720],
  [3840, 2160, whole, 1920, 1080],
  [2160, 3840, whole, 1080, 1920],
  [3840, 2160, part, 3840, 2160],
  [7680, 4320, part, 3840, 2160],
  [30_000, 3, whole, 30_000, 3],
  [5120, 1440, whole, 2534, 713],
  [1280, 720, ready(1), 597, 336],
  [3840, 2160, ready(9), 1792, 1008],
  [320, 240, ready(1), 320, 240],
])('a picture of %i × %i (%j) is grabbed as %i × %i', (width, height, purpose, w, h) => {
  expect(snapshotSize({ width, height }, purpose)).toEqual({ width: w, height: h });
});
