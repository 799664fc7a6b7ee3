import type { VideoDevices } from '../../renderer/capture/video-devices.ts';

/** A video track that a test can end, as the system does. */
export class FakeTrack extends EventTarget {
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
export class FakeMedia implements VideoDevices {
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
