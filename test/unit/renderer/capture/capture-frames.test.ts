import { describe, expect, it } from 'vitest';
import { snapshotSize } from '../../../../renderer/capture/frame-grabber.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { captureHarness, front, screen } from './capture-harness.ts';

describe('an open capture', () => {
  it('offers one frame a second, the first at once', async () => {
    const { capture, offered, pass } = captureHarness();
    await capture.open(front);
    await pass(3500);
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
    const { capture, media, sentSettings, offered, pass } = captureHarness();
    await capture.open({ ...front, rate: { framesPerSecond: 0.5 } });
    await pass(3900);
    expect(offered).toHaveLength(2);
    capture.setChunk(250);
    await capture.change({ ...front, rate: { framesPerSecond: 4 } });
    await pass(2000);
    expect(offered.length).toBeGreaterThanOrEqual(9);
    expect(offered.length).toBeLessThanOrEqual(11);
    expect(media.opened).toHaveLength(1);
    expect(sentSettings).toHaveLength(2);
  });

  it('grabs just before the next frame is sent, once it knows when frames are sent', async () => {
    const { capture, offered, pass } = captureHarness();
    await capture.open(front);
    for (let second = 0; second < 5; second += 1) {
      await pass(600);
      capture.frameSent();
      await pass(400);
    }
    const sinceSent = offered.slice(-3).map((at) => (at - 600 + 10_000) % 1000);
    expect(offered.length).toBeLessThanOrEqual(6);
    for (const after of sinceSent) expect(after).toBeGreaterThanOrEqual(800);
  });

  it('offers nothing while it is paused, and no camera frame while the page is hidden', async () => {
    const { capture, offered, state, pass } = captureHarness();
    await capture.open(front);
    capture.setPaused(true);
    await pass(3000);
    capture.setPaused(false);
    state.hidden = true;
    await pass(3000);
    expect(offered).toEqual([]);
    state.hidden = false;
    await pass(1000);
    expect(offered).toHaveLength(1);
  });

  it('keeps offering the picture of the moment it was frozen, even on a hidden page', async () => {
    const { capture, pictures, purposes, state, pass } = captureHarness();
    await capture.open(front);
    await pass(1500);
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

  it('freezes the current picture even if an earlier one is still on its way', async () => {
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
    const { capture, pictures, pass } = captureHarness();
    await capture.open(front);
    capture.setFrozen(true);
    await pass(1500);
    await capture.follow(screen);
    await pass(1500);
    expect(pictures).toEqual([1, 1, 2, 2]);
    capture.setPaused(true);
    await pass(2000);
    expect(pictures).toHaveLength(4);
  });

  it('grabs frames only while a talk takes them', async () => {
    const { capture, purposes, pass } = captureHarness();
    capture.setActive(false);
    await capture.open(front);
    await pass(3300);
    expect(purposes).toEqual([]);
    capture.setActive(true);
    await pass(50);
    expect(purposes).toHaveLength(1);
    capture.setActive(true);
    await pass(50);
    expect(purposes).toHaveLength(1);
  });

  it('reports unreadable frames until one is readable', async () => {
    const { capture, state, pass } = captureHarness();
    const shown: unknown[] = [];
    capture.subscribe(() => {
      const view = capture.view();
      if (view.state === 'open') shown.push(view.unreadable);
    });
    await capture.open(front);
    state.unreadable = true;
    await pass(2500);
    state.unreadable = false;
    await pass(2500);
    expect(shown).toEqual([false, true, false]);
  });

  it('keeps grabbing a screen while the page is hidden', async () => {
    const { capture, offered, state, pass } = captureHarness();
    state.hidden = true;
    await capture.open(screen);
    await pass(900);
    expect(offered).toHaveLength(1);
  });

  it('offers one frame at a time', async () => {
    const { capture, offered, state, pass } = captureHarness();
    const offer = deferred();
    state.offering = offer.promise;
    await capture.open(front);
    await pass(5000);
    expect(offered).toHaveLength(1);
    offer.resolve();
    await pass(1000);
    expect(offered).toHaveLength(2);
  });

  it('offers no frame after it was closed', async () => {
    const { capture, media, offered, pass } = captureHarness();
    await capture.open(front);
    await capture.close();
    await pass(3000);
    expect(offered).toEqual([]);
    expect(media.tracks[0]?.stopped).toBe(true);
  });

  it('grabs large pictures for a crop', async () => {
    const { capture, purposes, pass } = captureHarness();
    await capture.open(front);
    await pass(100);
    await capture.change({ ...front, crop: { left: 0, top: 0, width: 0.5, height: 0.5 } });
    await pass(1000);
    expect(purposes.map(({ kind }) => kind)).toEqual(['ready', 'part']);
  });

  it('prepares only camera frames for the chosen number of slices', async () => {
    const { capture, purposes, pass } = captureHarness();
    await capture.open({ ...front, slices: 4 });
    await pass(100);
    capture.setFrozen(true);
    await pass(100);
    capture.setFrozen(false);
    await capture.follow(screen);
    await pass(100);
    expect(purposes).toEqual([{ kind: 'ready', slices: 4 }, { kind: 'whole' }, { kind: 'whole' }]);
  });

  it('sends its permission and settings again to a restarted core', async () => {
    const { capture, permissions, sentSettings } = captureHarness();
    await capture.reconnected();
    await capture.open(front);
    await capture.reconnected();
    expect([permissions, sentSettings.length]).toEqual([['camera', 'camera'], 2]);
  });

  it('opens another source and releases the first', async () => {
    const { capture, media } = captureHarness();
    await capture.open(front);
    await capture.change(screen);
    expect(media.opened).toEqual(['front', 'screen']);
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true, false]);
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
