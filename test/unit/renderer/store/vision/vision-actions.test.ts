import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../../renderer/store/app-context.ts';
import { currentVisionSettings } from '../../../../../renderer/store/vision/vision-ui-state.ts';
import type { Notice, RequestName } from '../../../../../shared/ipc/contract.ts';
import { defaultSettings } from '../../../../../shared/settings/default-settings.ts';
import { redactSettings } from '../../../../../shared/settings/redacted-settings.ts';
import { fakeBridge } from '../../../../fakes/fake-bridge.ts';
import { front, captureHarness, settle } from '../../capture/capture-harness.ts';

const part = { left: 0.5, top: 0, width: 0.5, height: 1 };
const list = [
  { id: 'screen:0', kind: 'screen', name: 'Screen 1' },
  { id: 'window:1', kind: 'window', name: 'Letters' },
] as const;

/** The page's store over a real capture, whose camera and screen are the test's. */
async function open(values: Partial<Record<RequestName, unknown>> = {}) {
  const other = fakeBridge({ values });
  const camera = captureHarness();
  const app = createAppContext({ bridge: other.bridge, capture: camera.capture, now: () => 0 });
  await settle();
  other.notice({ name: 'talkBegan', payload: { mode: 'video', endpoint: 'Here' } });
  other.notice({ name: 'talkState', payload: { phase: 'live' } });
  return { ...app, ...other, ...camera };
}

const offered = { shareables: { offered: true, list } };

describe('what is shown to the model', () => {
  it('is a window that was picked from a list of windows only', async () => {
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

  it('is asked of the browser where Parley has no list', async () => {
    const { actions, store } = await open({ shareables: { offered: false, list: [] } });
    await actions.pick('screen');
    expect(store.getState().capture.state).toBe('open');
  });

  it('is nothing of a region until its part is chosen, and nothing at all without one', async () => {
    const { actions, store, offered: sent, pass, told } = await open(offered);
    await actions.pick('region');
    await actions.share('screen:0');
    await pass(3000);
    expect([store.getState().visionUi.cropping, sent.length]).toEqual(['region', 0]);
    await actions.setCrop(part);
    await pass(2000);
    expect(sent.length).toBeGreaterThan(0);
    expect(told.at(-1)).toMatchObject({ crop: part, source: { kind: 'screen' } });

    await actions.pick('region');
    await actions.share('screen:0');
    await actions.stopCropping();
    expect(store.getState().capture.state).toBe('off');
  });

  it.each<Notice>([
    { name: 'talkState', payload: { phase: 'idle' } },
    { name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Here' } },
  ])('is offered only while there is a talk that takes it: not with %j', async (without) => {
    const { actions, notice, offered: sent, pass } = await open();
    notice(without);
    await actions.setCapture(true);
    await pass(3000);
    expect(sent).toEqual([]);
    notice({ name: 'talkBegan', payload: { mode: 'video', endpoint: 'Here' } });
    notice({ name: 'talkState', payload: { phase: 'connecting' } });
    await pass(100);
    expect(sent).toHaveLength(1);
  });

  it('keeps its part when the choosing of another is given up', async () => {
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

  it('follows the settings at once, wherever they were changed, without telling the core again', async () => {
    const { actions, notice, store, told, media } = await open();
    await actions.setCapture(true);
    const before = told.length;
    const vision = { ...defaultSettings.vision, rate: 0.2, slices: 4, mirror: false };
    notice({ name: 'settingsChanged', payload: redactSettings({ ...defaultSettings, vision }) });
    await settle();
    expect(currentVisionSettings(store.getState())).toMatchObject({
      slices: 4,
      rate: { framesPerSecond: 0.2 },
      mirror: false,
    });
    expect([told.length, media.opened.length]).toEqual([before, 1]);

    const other = { ...vision, camera: 'Front camera' };
    notice({
      name: 'settingsChanged',
      payload: redactSettings({ ...defaultSettings, vision: other }),
    });
    await settle();
    expect(media.opened.at(-1)).toBe(front.source.kind === 'camera' && front.source.deviceId);
  });
});
