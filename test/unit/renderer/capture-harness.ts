import { CaptureController } from '../../../renderer/capture/capture-controller.ts';
import type { GrabPurpose } from '../../../renderer/capture/frame-grabber.ts';
import { defaultVisionOptions } from '../../../shared/vision/vision-options.ts';
import type { CapturePermission, VisionOptions } from '../../../shared/vision/vision-options.ts';
import { FakeClock } from '../../fakes/fake-clock.ts';
import { FakeMedia } from '../../fakes/fake-media.ts';

export const screen: VisionOptions = {
  ...defaultVisionOptions,
  source: { kind: 'screen', id: 'screen:0' },
};
export const front: VisionOptions = {
  ...defaultVisionOptions,
  source: { kind: 'camera', deviceId: 'front', label: 'Front camera' },
};

/** A capture controller with fakes around it; the fake core can be made unreachable. */
export function captureHarness() {
  const clock = new FakeClock();
  const media = new FakeMedia();
  const permissions: string[] = [];
  const sentSettings: VisionOptions[] = [];
  const offered: number[] = [];
  /** The number of each offered picture; every grab takes a new one. */
  const pictures: (number | undefined)[] = [];
  const purposes: GrabPurpose[] = [];
  const state = {
    hidden: false,
    reachable: true,
    picture: true,
    offering: Promise.resolve(),
    unreadable: false,
  };
  const capture = new CaptureController({
    devices: media,
    now: clock.now,
    after: clock.after,
    hidden: () => state.hidden,
    createSnapshotter: () => ({
      grab: (purpose) => {
        purposes.push(purpose);
        const jpeg = Uint8Array.of(purposes.length);
        return Promise.resolve(state.picture ? { jpeg } : undefined);
      },
      close: () => undefined,
    }),
    allow: (permission: CapturePermission) => {
      permissions.push(permission.open);
      return Promise.resolve(state.reachable);
    },
    sendSettings: (settings) => {
      sentSettings.push(settings);
      return Promise.resolve(state.reachable);
    },
    offer: async ({ jpeg }) => {
      offered.push(clock.now());
      pictures.push(jpeg[0]);
      await state.offering;
      return { outcome: state.unreadable ? 'refused' : 'taken' };
    },
  });
  /** Advances the clock in steps of 50 ms and runs pending work in between. */
  const pass = async (milliseconds: number): Promise<void> => {
    for (let at = 0; at < milliseconds; at += 50) {
      clock.advance(50);
      await settle();
    }
  };
  return {
    clock,
    media,
    permissions,
    sentSettings,
    offered,
    pictures,
    purposes,
    state,
    capture,
    pass,
  };
}

export const settle = () => new Promise((resolve) => setImmediate(resolve));
