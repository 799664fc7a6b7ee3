import { describe, expect, it } from 'vitest';
import { deferred } from '../../../fakes/deferred.ts';
import { captureHarness, front, screen, settle } from './capture-harness.ts';

describe('a capture controller while opening', () => {
  it('asks the core for permission first, then shows the stream', async () => {
    const { capture, media, permissions, sentSettings } = captureHarness();
    const states: string[] = [];
    capture.subscribe(() => states.push(capture.view().state));
    await capture.open(front);
    expect([permissions, sentSettings, media.opened]).toEqual([['camera'], [front], ['front']]);
    expect(states).toEqual(['opening', 'open']);
    expect(capture.view()).toMatchObject({ state: 'open', label: 'Front camera' });
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

  it('asks for the screen permission to share a screen', async () => {
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
  ])('maps %s to the reason "%s"', async (name, reason, isRetried) => {
    const { capture, media, permissions } = captureHarness();
    media.refuses = name;
    await capture.open(front);
    expect(capture.view()).toEqual({ state: 'lost', reason });
    // A camera that is retried keeps its permission.
    expect(permissions).toEqual(isRetried ? ['camera'] : ['camera', 'nothing']);
  });

  it('stops a stream that arrives after closing', async () => {
    const { capture, media, permissions } = captureHarness();
    const gate = deferred();
    media.gate = gate.promise;
    const opening = capture.open(front);
    await settle();
    await capture.close();
    gate.resolve();
    await opening;
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true]);
    expect(capture.view()).toEqual({ state: 'off' });
    expect(permissions).toEqual(['camera', 'nothing']);
  });

  it('ends with the last request after several quick ones', async () => {
    const { capture, media } = captureHarness();
    const gate = deferred();
    media.gate = gate.promise;
    const all = [capture.open(front), capture.open(screen), capture.close(), capture.open(screen)];
    await settle();
    gate.resolve();
    await Promise.all(all);
    expect(media.opened).toEqual(['front', 'screen']);
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true, false]);
    expect(capture.view()).toMatchObject({ state: 'open', label: 'Screen 1' });
  });
});

describe('a capture controller after losing its source', () => {
  it('reopens an unplugged camera when it returns', async () => {
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

  it('retries regularly while another program uses the camera', async () => {
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

  it('asks for a revoked permission only after it is granted again', async () => {
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

  it('stops retrying once it is closed', async () => {
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

  it('withdraws the permission when the user stops sharing a screen', async () => {
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

  it('closes only when the core stays disconnected', async () => {
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
