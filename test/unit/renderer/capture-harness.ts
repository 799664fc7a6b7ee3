import { CaptureController } from '../../../renderer/capture/capture-controller.ts';
import type { GrabPurpose } from '../../../renderer/capture/frame-grabber.ts';
import type { VideoDevices } from '../../../renderer/capture/video-devices.ts';
import {
  type CapturePermission,
  defaultVisionOptions,
  type VisionOptions,
} from '../../../shared/vision/vision-options.ts';
import { FakeClock } from '../../fakes/fake-clock.ts';

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

/** A video track that a test can end, as the system does. */
class FakeTrack extends EventTarget {
  readonly kind = 'video';
  stopped = false;

  constructor(
    readonly label: string,
    readonly deviceId: string,
  ) {
    super();
  }

  getSettings(): MediaTrackSettings {
    return { deviceId: this.deviceId };
  }

  stop(): void {
    this.stopped = true;
  }

  end(): void {
    this.dispatchEvent(new Event('ended'));
  }
}

/** The browser's cameras and shared screens, with fake tracks. */
class FakeMedia implements VideoDevices {
  devices = [{ deviceId: 'front', label: 'Front camera' }];
  permission: PermissionState = 'granted';
  /** The name of the browser's error that the next openings throw. */
  refuses: string | undefined;
  readonly opened: (string | undefined)[] = [];
  readonly tracks: FakeTrack[] = [];
  gate: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();

  get listeners(): number {
    return this.#listeners.size;
  }

  readonly openCamera: VideoDevices['openCamera'] = async (deviceId) => {
    this.opened.push(deviceId);
    await this.gate;
    this.#throwIfRefused();
    const found =
      deviceId === undefined
        ? this.devices[0]
        : this.devices.find((device) => device.deviceId === deviceId);
    if (found !== undefined) return this.#stream(found.label, found.deviceId);
    throw new DOMException('', deviceId === undefined ? 'NotFoundError' : 'OverconstrainedError');
  };

  readonly openScreen: VideoDevices['openScreen'] = async () => {
    this.opened.push('screen');
    await this.gate;
    this.#throwIfRefused();
    return this.#stream('Screen 1', 'screen:0');
  };

  readonly cameras: VideoDevices['cameras'] = () => Promise.resolve(this.devices);

  readonly cameraPermission: VideoDevices['cameraPermission'] = () =>
    Promise.resolve(this.permission);

  readonly onChange: VideoDevices['onChange'] = (changed) => {
    this.#listeners.add(changed);
    return () => {
      this.#listeners.delete(changed);
    };
  };

  change(): void {
    for (const changed of this.#listeners) changed();
  }

  #throwIfRefused(): void {
    if (this.refuses !== undefined) throw new DOMException('', this.refuses);
  }

  #stream(label: string, deviceId: string): MediaStream {
    const track = new FakeTrack(label, deviceId);
    this.tracks.push(track);
    const stream = { getVideoTracks: () => [track], getTracks: () => [track] };
    return stream as unknown as MediaStream;
  }
}
