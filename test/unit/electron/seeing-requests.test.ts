import { describe, expect, it } from 'vitest';
import { requestChecks } from '../../../shared/ipc/checks.ts';
import type { Notice } from '../../../shared/ipc/contract.ts';
import { usualSeeing } from '../../../shared/vision/seeing-settings.ts';
import { seeingCore } from '../../fakes/seeing-core.ts';
import { FakeFrames } from '../../fakes/fake-frames.ts';

const frame = FakeFrames.draw({ width: 640, height: 480, grey: 9 });

describe('the requests about seeing', () => {
  it('take no frame before the person has switched seeing on, nor after', async () => {
    const { answer, clock } = seeingCore();
    const closed = { ok: true, value: { fate: 'closed' } };
    expect(await answer('seeFrame', { jpeg: frame })).toEqual(closed);
    await answer('allowSeeing', { open: 'camera' });
    expect(await answer('seeFrame', { jpeg: frame })).toEqual({
      ok: true,
      value: { fate: 'taken' },
    });
    await answer('allowSeeing', { open: 'nothing' });
    clock.advance(1000);
    expect(await answer('seeFrame', { jpeg: frame })).toEqual(closed);
  });

  it('show the prepared frame, by the settings that were made', async () => {
    const { answer, posted } = seeingCore();
    await answer('allowSeeing', { open: 'camera' });
    await answer('setSeeing', { ...usualSeeing, slices: 2, crop: half });
    await answer('seeFrame', { jpeg: frame });
    const jpeg = FakeFrames.draw({ width: 320, height: 480, grey: 9 });
    expect(posted).toEqual<Notice[]>([
      {
        name: 'framePrepared',
        payload: {
          jpeg,
          facts: { at: 0, bytes: jpeg.length, width: 320, height: 480, slices: 1, tokens: 64 },
        },
      },
    ]);
  });

  it('list what can be shared, with thumbnails if asked', async () => {
    const list = [{ id: 'screen:0:0', kind: 'screen', name: 'Screen 1' }] as const;
    const asked: boolean[] = [];
    const { answer } = seeingCore({
      list: (thumbnails) => {
        asked.push(thumbnails);
        return Promise.resolve({ ok: true, value: list });
      },
    });
    expect(await answer('shareables', { thumbnails: true })).toEqual({
      ok: true,
      value: { offered: true, list },
    });
    expect(asked).toEqual([true]);
  });

  it('leave the list to the browser where there is none', async () => {
    expect(await seeingCore().answer('shareables', { thumbnails: false })).toEqual({
      ok: true,
      value: { offered: false, list: [] },
    });
  });

  it('say why nothing can be listed', async () => {
    const problem = 'The system does not let Parley look at the screen.';
    const { answer } = seeingCore({ list: () => Promise.resolve({ ok: false, problem }) });
    expect(await answer('shareables', { thumbnails: false })).toMatchObject({
      ok: false,
      error: { code: 'refused', message: expect.stringContaining(problem) as string },
    });
  });
});

const half = { left: 0, top: 0, width: 0.5, height: 1 };

describe('what arrives about seeing is checked', () => {
  it.each([
    [usualSeeing],
    [{ ...usualSeeing, slices: 9, rate: { framesPerSecond: 4 }, crop: half }],
    [{ ...usualSeeing, source: { kind: 'camera', deviceId: 'abc', label: 'A camera' } }],
    [{ ...usualSeeing, source: { kind: 'window', id: 'window:1:0' } }],
    [{ ...usualSeeing, source: { kind: 'region', area: half } }],
    [{ ...usualSeeing, crop: { left: 0.7, top: 0, width: 0.30000000000000004, height: 1 } }],
  ])('%j is taken', (input) => {
    expect(requestChecks.setSeeing.safeParse(input)).toEqual({ success: true, data: input });
  });

  it.each([
    ['no slices', { ...usualSeeing, slices: 0 }],
    ['ten slices', { ...usualSeeing, slices: 10 }],
    ['half a slice', { ...usualSeeing, slices: 1.5 }],
    ['five frames a second', { ...usualSeeing, rate: { framesPerSecond: 5 } }],
    ['no frames a second', { ...usualSeeing, rate: { framesPerSecond: 0 } }],
    ['no number', { ...usualSeeing, rate: { framesPerSecond: Number.NaN } }],
    ['an area outside', { ...usualSeeing, crop: { ...half, left: 0.6 } }],
    ['an area of nothing', { ...usualSeeing, crop: { ...half, width: 0 } }],
    ['a region without its area', { ...usualSeeing, source: { kind: 'region' } }],
    ['an unknown source', { ...usualSeeing, source: { kind: 'file', path: '/etc/passwd' } }],
    ['an id without end', { ...usualSeeing, source: { kind: 'screen', id: 'x'.repeat(513) } }],
    ['more than there is', { ...usualSeeing, audio: true }],
    ['nothing', undefined],
  ])('settings with %s are refused', (_what, input) => {
    expect(requestChecks.setSeeing.safeParse(input).success).toBe(false);
  });

  it.each([
    ['a text', 'abc'],
    ['a list of numbers', [255, 216, 255]],
    ['what looks like bytes', { 0: 255, length: 1 }],
    ['too many bytes', new Uint8Array(16 * 1024 * 1024 + 1)],
  ])('a frame that is %s is refused', (_what, jpeg) => {
    expect(requestChecks.seeFrame.safeParse({ jpeg }).success).toBe(false);
  });

  it.each([[{ open: 'microphone' }], [{ open: 'camera', id: 'x' }], [{}], ['camera']])(
    'the door %j is refused',
    (input) => {
      expect(requestChecks.allowSeeing.safeParse(input).success).toBe(false);
    },
  );
});
