import { describe, expect, it } from 'vitest';
import { front, captureHarness, screen, settle } from './capture-harness.ts';

describe('a capture controller that opens', () => {
  it('asks the core for the permission first, and shows the stream', async () => {
    const { capture, media, permissions, told } = captureHarness();
    const states: string[] = [];
    capture.subscribe(() => states.push(capture.view().state));
    await capture.open(front);
    expect([permissions, told, media.opened]).toEqual([['camera'], [front], ['front']]);
    expect(states).toEqual(['opening', 'open']);
    expect(capture.view()).toMatchObject({ state: 'open', label: 'Front camera' });
  });

  it('opens nothing where the core does not answer', async () => {
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

  it('shares a screen by a permission of its own', async () => {
    const { capture, media, permissions } = captureHarness();
    await capture.open(screen);
    expect([permissions, media.opened]).toEqual([['screen'], ['screen']]);
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
  ])('says of a %s that the camera is %s', async (name, reason, returns) => {
    const { capture, media, permissions } = captureHarness();
    media.refuses = name;
    await capture.open(front);
    expect(capture.view()).toEqual({ state: 'lost', reason });
    // What is tried again stays allowed.
    expect(permissions).toEqual(returns ? ['camera'] : ['camera', 'nothing']);
  });

  it('stops a stream that comes after it was closed', async () => {
    const { capture, media, permissions } = captureHarness();
    let open = (): void => undefined;
    media.gate = new Promise((resolve) => {
      open = resolve;
    });
    const opening = capture.open(front);
    await settle();
    await capture.close();
    open();
    await opening;
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true]);
    expect(capture.view()).toEqual({ state: 'off' });
    expect(permissions).toEqual(['camera', 'nothing']);
  });

  it('ends with what was wanted last, whatever was clicked meanwhile', async () => {
    const { capture, media } = captureHarness();
    let open = (): void => undefined;
    media.gate = new Promise((resolve) => {
      open = resolve;
    });
    const all = [capture.open(front), capture.open(screen), capture.close(), capture.open(screen)];
    await settle();
    open();
    await Promise.all(all);
    expect(media.opened).toEqual(['front', 'screen']);
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true, false]);
    expect(capture.view()).toMatchObject({ state: 'open', label: 'Screen 1' });
  });
});

describe('a capture controller that loses its camera', () => {
  it('says that it was unplugged, and takes it again when it returns', async () => {
    const { capture, media, offered, pass } = captureHarness();
    await capture.open(front);
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
    expect(offered.length).toBe(1);
    expect(media.listeners).toBe(0);
  });

  it('says that another program has taken it, and tries again now and then', async () => {
    const { capture, media, pass } = captureHarness();
    await capture.open(front);
    media.refuses = 'NotReadableError';
    media.tracks[0]?.end();
    await settle();
    expect(capture.view()).toEqual({ state: 'lost', reason: 'taken' });
    await pass(3100);
    expect(media.opened).toHaveLength(2);
    expect(capture.view()).toMatchObject({ state: 'lost', reason: 'taken' });
    media.refuses = undefined;
    await pass(3100);
    expect(capture.view()).toMatchObject({ state: 'open' });
    await pass(10_000);
    expect(media.opened).toHaveLength(3);
  });

  it('says that the permission was withdrawn, and does not ask again until it is back', async () => {
    const { capture, media, pass } = captureHarness();
    await capture.open(front);
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

  it('keeps to itself once it is closed', async () => {
    const { capture, media, pass } = captureHarness();
    media.refuses = 'NotReadableError';
    await capture.open(front);
    await capture.close();
    media.refuses = undefined;
    media.change();
    await pass(10_000);
    expect(media.opened).toHaveLength(1);
    expect(media.listeners).toBe(0);
    expect(capture.view()).toEqual({ state: 'off' });
  });

  it('takes the permission back when a screen is no longer shared, and does not ask for it', async () => {
    const { capture, media, permissions, pass } = captureHarness();
    await capture.open(screen);
    media.tracks[0]?.end();
    await settle();
    expect(capture.view()).toEqual({ state: 'lost', reason: 'ended' });
    media.change();
    await pass(10_000);
    await capture.reconnected();
    expect(media.opened).toHaveLength(1);
    expect(permissions).toEqual(['screen', 'nothing']);
  });

  it('is closed when the core is gone for long, and stays where it comes back', async () => {
    const { capture, media, pass } = captureHarness();
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
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true]);
  });
});
