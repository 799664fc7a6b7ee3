import { describe, expect, it } from 'vitest';
import { front, room, screen, settle } from './eye-room.ts';

describe('an eye that opens', () => {
  it('lets the core open its door first, and shows the stream', async () => {
    const { eye, media, doors, told } = room();
    const states: string[] = [];
    eye.subscribe(() => states.push(eye.view().state));
    await eye.open(front);
    expect([doors, told, media.opened]).toEqual([['camera'], [front], ['front']]);
    expect(states).toEqual(['opening', 'open']);
    expect(eye.view()).toMatchObject({ state: 'open', label: 'Front camera' });
  });

  it('opens nothing where the core does not answer', async () => {
    const { eye, media, state } = room();
    state.reachable = false;
    await eye.open(front);
    expect(media.opened).toEqual([]);
    expect(eye.view()).toEqual({ state: 'lost', reason: 'failed', returns: false });
  });

  it('finds a camera by its label when its id has changed', async () => {
    const { eye, media } = room();
    media.devices = [
      { deviceId: 'back', label: 'Back camera' },
      { deviceId: 'front-2', label: 'Front camera' },
    ];
    await eye.open(front);
    expect(media.opened).toEqual(['front-2']);
  });

  it('shares a screen through its own door', async () => {
    const { eye, media, doors } = room();
    await eye.open(screen);
    expect([doors, media.opened]).toEqual([['screen'], ['screen']]);
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
    const { eye, media } = room();
    media.refuses = name;
    await eye.open(front);
    expect(eye.view()).toEqual({ state: 'lost', reason, returns });
  });

  it('stops a stream that comes after it was closed', async () => {
    const { eye, media, doors } = room();
    let open = (): void => undefined;
    media.gate = new Promise((resolve) => {
      open = resolve;
    });
    const opening = eye.open(front);
    await settle();
    await eye.close();
    open();
    await opening;
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true]);
    expect(eye.view()).toEqual({ state: 'off' });
    expect(doors).toEqual(['camera', 'nothing']);
  });

  it('ends with what was wanted last, whatever was clicked meanwhile', async () => {
    const { eye, media } = room();
    let open = (): void => undefined;
    media.gate = new Promise((resolve) => {
      open = resolve;
    });
    const all = [eye.open(front), eye.open(screen), eye.close(), eye.open(screen)];
    await settle();
    open();
    await Promise.all(all);
    expect(media.opened).toEqual(['front', 'screen']);
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true, false]);
    expect(eye.view()).toMatchObject({ state: 'open', label: 'Screen 1' });
  });
});

describe('an eye that loses its camera', () => {
  it('says that it was unplugged, and takes it again when it returns', async () => {
    const { eye, media, offered, pass } = room();
    await eye.open(front);
    const devices = media.devices;
    media.devices = [];
    media.tracks[0]?.end();
    await settle();
    expect(eye.view()).toEqual({ state: 'lost', reason: 'unplugged', returns: true });
    await pass(200);
    expect(offered).toEqual([]);
    media.devices = devices;
    media.change();
    await settle();
    expect(eye.view()).toMatchObject({ state: 'open', label: 'Front camera' });
    await pass(200);
    expect(offered.length).toBe(1);
    expect(media.listeners).toBe(0);
  });

  it('says that another program has taken it, and tries again now and then', async () => {
    const { eye, media, pass } = room();
    await eye.open(front);
    media.refuses = 'NotReadableError';
    media.tracks[0]?.end();
    await settle();
    expect(eye.view()).toEqual({ state: 'lost', reason: 'taken', returns: true });
    await pass(3100);
    expect(media.opened).toHaveLength(2);
    expect(eye.view()).toMatchObject({ state: 'lost', reason: 'taken' });
    media.refuses = undefined;
    await pass(3100);
    expect(eye.view()).toMatchObject({ state: 'open' });
    await pass(10_000);
    expect(media.opened).toHaveLength(3);
  });

  it('says that the permission was withdrawn, and does not ask again until it is back', async () => {
    const { eye, media, pass } = room();
    await eye.open(front);
    media.permission = 'prompt';
    media.tracks[0]?.end();
    await settle();
    expect(eye.view()).toEqual({ state: 'lost', reason: 'withdrawn', returns: true });
    media.change();
    await pass(10_000);
    expect(media.opened).toHaveLength(1);
    media.permission = 'granted';
    media.change();
    await settle();
    expect(eye.view()).toMatchObject({ state: 'open' });
  });

  it('keeps to itself once it is closed', async () => {
    const { eye, media, pass } = room();
    media.refuses = 'NotReadableError';
    await eye.open(front);
    await eye.close();
    media.refuses = undefined;
    media.change();
    await pass(10_000);
    expect(media.opened).toHaveLength(1);
    expect(media.listeners).toBe(0);
    expect(eye.view()).toEqual({ state: 'off' });
  });

  it('closes the door when a screen is no longer shared, and does not ask for it', async () => {
    const { eye, media, doors, pass } = room();
    await eye.open(screen);
    media.tracks[0]?.end();
    await settle();
    expect(eye.view()).toEqual({ state: 'lost', reason: 'ended', returns: false });
    media.change();
    await pass(10_000);
    await eye.reconnected();
    expect(media.opened).toHaveLength(1);
    expect(doors).toEqual(['screen', 'nothing']);
  });
});
