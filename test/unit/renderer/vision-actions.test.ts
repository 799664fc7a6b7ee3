import { describe, expect, it } from 'vitest';
import { currentVisionSettings } from '../../../renderer/capture/vision-ui-state.ts';
import { appError, type ErrorCode } from '../../../shared/errors/app-error.ts';
import type { Notice, RequestName } from '../../../shared/ipc/contract.ts';
import { redactSettings, defaultSettings } from '../../../shared/settings/settings.ts';
import { deferred } from '../../fakes/promises.ts';
import { openApp } from './open-app.ts';
import { captureHarness, front, settle } from './capture-harness.ts';
import {
  areaBetween,
  isInArea,
  moveArea,
  previewArea,
  resizeArea,
} from '../../../renderer/talk/capture/crop-area.ts';

const part = { left: 0.5, top: 0, width: 0.5, height: 1 };
const list = [
  { id: 'screen:0', kind: 'screen', name: 'Screen 1' },
  { id: 'window:1', kind: 'window', name: 'Letters' },
] as const;

/** The app over a real capture controller with fake devices. */
async function open(
  values: Partial<Record<RequestName, unknown>> = {},
  refused: readonly RequestName[] = [],
) {
  const camera = captureHarness();
  const app = openApp({ values, refused }, { capture: camera.capture });
  await settle();
  app.notice({ name: 'talkBegan', payload: { mode: 'video', endpoint: 'Here' } });
  app.notice({ name: 'talkState', payload: { phase: 'live' } });
  return { ...app, ...camera };
}

const offered = { shareables: { offered: true, list } };

describe('the capture of the page', () => {
  it('lists only windows when the user shares a window', async () => {
    const { actions, store, media, permissions } = await open(offered);
    await actions.pick('window');
    expect(store.getState().visionUi.picking?.list).toEqual([list[1]]);
    expect(media.opened).toEqual([]);
    await actions.share('window:1');
    expect(store.getState()).toMatchObject({
      capture: { state: 'open' },
      visionUi: { source: { kind: 'window', id: 'window:1' }, picking: undefined },
    });
    expect(permissions).toEqual(['screen']);
  });

  it('leaves the choice to the browser if the core has no list', async () => {
    const { actions, store } = await open({ shareables: { offered: false, list: [] } });
    await actions.pick('screen');
    expect(store.getState().capture.state).toBe('open');
  });

  it('sends nothing of a region until the user has chosen the area', async () => {
    const { actions, store, offered: sent, pass, sentSettings } = await open(offered);
    await actions.pick('region');
    await actions.share('screen:0');
    await pass(3000);
    expect([store.getState().visionUi.cropping, sent.length]).toEqual(['region', 0]);
    await actions.setCrop(part);
    await pass(2000);
    expect(sent.length).toBeGreaterThan(0);
    expect(sentSettings.at(-1)).toMatchObject({ crop: part, source: { kind: 'screen' } });

    await actions.pick('region');
    await actions.share('screen:0');
    await actions.stopCropping();
    expect(store.getState().capture.state).toBe('off');
  });

  it.each<Notice>([
    { name: 'talkState', payload: { phase: 'idle' } },
    { name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Here' } },
  ])('opens only for a talk with pictures, and sends nothing before it: %j', async (without) => {
    const { actions, notice, offered: sent, pass, media, store } = await open();
    notice(without);
    await actions.setCapture(true);
    expect([store.getState().capture.state, media.opened]).toEqual(['off', []]);
    const started = actions.startWithCamera();
    await pass(3000);
    expect([store.getState().capture.state, sent]).toEqual(['open', []]);
    notice({ name: 'talkState', payload: { phase: 'idle' } });
    await started;
    notice({ name: 'talkBegan', payload: { mode: 'video', endpoint: 'Here' } });
    notice({ name: 'talkState', payload: { phase: 'connecting' } });
    await pass(100);
    expect(sent).toHaveLength(1);
  });

  it('keeps the crop when the user cancels choosing another', async () => {
    const { actions, store } = await open();
    await actions.setCapture(true);
    await actions.setCrop(part);
    actions.beginCropping();
    await actions.stopCropping();
    expect(store.getState()).toMatchObject({
      capture: { state: 'open' },
      visionUi: { crop: part },
    });
  });

  it('applies changed settings without sending them to the core again', async () => {
    const { actions, notice, store, sentSettings, media } = await open();
    await actions.setCapture(true);
    const before = sentSettings.length;
    const vision = { ...defaultSettings.vision, rate: 0.2, slices: 4, mirror: false };
    notice({ name: 'settingsChanged', payload: redactSettings({ ...defaultSettings, vision }) });
    await settle();
    expect(currentVisionSettings(store.getState())).toMatchObject({
      slices: 4,
      rate: { framesPerSecond: 0.2 },
      mirror: false,
    });
    expect([sentSettings.length, media.opened.length]).toEqual([before, 1]);

    const other = { ...vision, camera: 'Front camera' };
    notice({
      name: 'settingsChanged',
      payload: redactSettings({ ...defaultSettings, vision: other }),
    });
    await settle();
    expect(media.opened.at(-1)).toBe(front.source.kind === 'camera' && front.source.deviceId);
  });
});

const ended = (by: 'client' | 'server' | 'network', code: ErrorCode): Notice => ({
  name: 'talkState',
  payload: {
    phase: 'ended',
    ending: { by, error: appError(code), orderly: by === 'client' },
    offer: 'continue',
  },
});

describe('a camera or a shared screen', () => {
  const endings: readonly (readonly [string, Notice])[] = [
    ['a click', { name: 'talkState', payload: { phase: 'ending' } }],
    ['the user', ended('client', 'endedByPerson')],
    ['a limit', ended('server', 'timeLimitReached')],
    ['the network', ended('network', 'connectionLost')],
    [
      'a talk without pictures',
      { name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Here' } },
    ],
  ];
  it.each(endings)('closes when the talk is ended by %s', async (_by, notice) => {
    const camera = await open(offered);
    await camera.actions.setCapture(true);
    camera.notice(notice);
    expect(camera.store.getState().capture.state).toBe('off');
    expect(camera.media.tracks.map(({ stopped }) => stopped)).toEqual([true]);
    expect(camera.permissions).toEqual(['camera', 'nothing']);

    const screen = await open(offered);
    await screen.actions.pick('screen');
    await screen.actions.share('screen:0');
    expect(screen.store.getState().capture.state).toBe('open');
    screen.notice(notice);
    expect(screen.media.tracks.map(({ stopped }) => stopped)).toEqual([true]);
  });

  it.each(endings)(
    'is closed if it was still opening when the talk was ended by %s',
    async (_by, notice) => {
      const { actions, media, store, notice: post } = await open();
      const arrival = deferred();
      media.gate = arrival.promise;
      const opening = actions.setCapture(true);
      await settle();
      post(notice);
      arrival.resolve();
      await opening;
      await settle();
      expect(store.getState().capture.state).toBe('off');
      expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true]);
    },
  );

  it('is not retried after its talk has ended', async () => {
    const { actions, media, notice, pass } = await open();
    media.refuses = 'NotReadableError';
    await actions.setCapture(true);
    notice(ended('client', 'endedByPerson'));
    media.refuses = undefined;
    await pass(10_000);
    expect(media.tracks).toEqual([]);
  });

  it('opens with a new talk after a talk without pictures has ended', async () => {
    const { actions, notice, store, names } = await open();
    notice({ name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Here' } });
    const started = actions.startWithCamera();
    await settle();
    expect([names().at(-1), names().includes('startTalk')]).toEqual(['endTalk', false]);
    notice({ name: 'talkState', payload: { phase: 'ending' } });
    await settle();
    expect(names()).not.toContain('startTalk');
    notice(ended('client', 'endedByPerson'));
    await started;
    expect(names().at(-1)).toBe('startTalk');
    expect(store.getState().capture.state).toBe('open');
  });

  it('is closed if its talk does not begin', async () => {
    const { actions, media, notice } = await open(offered, ['startTalk']);
    notice({ name: 'talkState', payload: { phase: 'idle' } });
    await actions.startWithCamera();
    await actions.pick('screen', true);
    await actions.share('screen:0');
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true, true]);
  });

  it('is closed if the talk before cannot be ended, and no new talk begins when that talk ends later', async () => {
    const { actions, media, notice, names } = await open({}, ['endTalk']);
    notice({ name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Here' } });
    const started = actions.startWithCamera();
    await settle();
    expect(media.tracks.map(({ stopped }) => stopped)).toEqual([true]);
    notice(ended('client', 'endedByPerson'));
    await started;
    expect(names()).not.toContain('startTalk');
  });

  it('reopens when a talk with pictures continues, except in the mini window', async () => {
    const { actions, media, notice, store } = await open();
    notice(ended('server', 'timeLimitReached'));
    await actions.continueTalk('transcript');
    expect(media.opened).toHaveLength(1);
    notice({ name: 'talkState', payload: { phase: 'connecting' } });
    expect(store.getState().capture.state).toBe('open');

    notice(ended('server', 'timeLimitReached'));
    store.setState({ window: 'mini' });
    await actions.continueTalk('transcript');
    expect(media.opened).toHaveLength(1);
  });

  it('cannot be picked after the talk has ended', async () => {
    const { actions, notice, store, media } = await open(offered);
    await actions.pick('window');
    notice(ended('client', 'endedByPerson'));
    expect(store.getState().visionUi.picking).toBeUndefined();
    await actions.share('window:1');
    expect(media.opened).toEqual([]);
  });
});

const area = { left: 0.25, top: 0.5, width: 0.5, height: 0.25 };

describe('the crop area', () => {
  it('spans any two corners, within the picture', () => {
    const drawn = { left: 0.5, top: 0.25, width: 0.25, height: 0.5 };
    expect(areaBetween({ x: 0.75, y: 0.75 }, { x: 0.5, y: 0.25 })).toEqual(drawn);
    expect(areaBetween({ x: -1, y: -1 }, { x: 2, y: 2 })).toEqual({
      left: 0,
      top: 0,
      width: 1,
      height: 1,
    });
  });

  it('is never too small to grab', () => {
    const { left, width, height } = areaBetween({ x: 1, y: 1 }, { x: 1, y: 1 });
    expect(width).toBeCloseTo(0.05);
    expect(height).toBeCloseTo(0.05);
    expect(left + width).toBeCloseTo(1);
  });

  it('stays in the picture when it is moved or grown', () => {
    expect(moveArea(area, 1, 1)).toEqual({ ...area, left: 0.5, top: 0.75 });
    expect(moveArea(area, -1, -1)).toEqual({ ...area, left: 0, top: 0 });
    expect(resizeArea(area, 1, 1)).toEqual({ ...area, width: 0.75, height: 0.5 });
    expect(resizeArea(area, -1, -1)).toEqual({ ...area, width: 0.05, height: 0.05 });
  });

  it('converts to a mirrored and flipped preview and back', () => {
    const transform = { mirror: true, flip: true };
    const left = { left: 0, top: 0, width: 0.25, height: 0.25 };
    const shown = previewArea(left, transform);
    expect(shown).toEqual({ ...left, left: 0.75, top: 0.75 });
    expect(previewArea(shown, transform)).toEqual(left);
  });

  it('contains only points within its edges', () => {
    expect(isInArea(area, { x: 0.5, y: 0.6 })).toBe(true);
    expect(isInArea(area, { x: 0.5, y: 0.4 })).toBe(false);
  });
});
