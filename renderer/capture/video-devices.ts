import type { CapturePermission, FrameSource } from '../../shared/vision/vision-options.ts';

export interface CameraDevice {
  readonly deviceId: string;
  /** Empty until the person has let a camera be opened once. */
  readonly label: string;
}

/** The browser's media functions, as far as capture needs them. */
export interface VideoDevices {
  /** That camera and no other; any, where none is named. Rejects as `getUserMedia` does. */
  readonly openCamera: (deviceId: string | undefined) => Promise<MediaStream>;
  /** Rejects as `getDisplayMedia` does. */
  readonly openScreen: () => Promise<MediaStream>;
  readonly cameras: () => Promise<readonly CameraDevice[]>;
  readonly cameraPermission: () => Promise<PermissionState>;
  /** Calls back when devices or permissions change, until the returned function is called. */
  readonly onChange: (changed: () => void) => () => void;
}

/** What a person sees is sharp enough at this; a larger camera would only cost time. */
const camera = { width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 10 } };

/** A frame a second is shown to the model, and a few more to the person. */
const screen = { frameRate: { ideal: 5, max: 10 } };

export function createVideoDevices({ mediaDevices, permissions }: Navigator): VideoDevices {
  const permission = (): Promise<PermissionStatus> => permissions.query({ name: 'camera' });
  return {
    openCamera: (deviceId) =>
      mediaDevices.getUserMedia({
        audio: false,
        video: deviceId === undefined ? camera : { ...camera, deviceId: { exact: deviceId } },
      }),
    openScreen: () => mediaDevices.getDisplayMedia({ audio: false, video: screen }),
    cameras: async () => {
      const devices = await mediaDevices.enumerateDevices();
      return devices
        .filter(({ kind }) => kind === 'videoinput')
        .map(({ deviceId, label }) => ({ deviceId, label }));
    },
    cameraPermission: async () => {
      const { state } = await permission();
      return state;
    },
    onChange: (changed) => {
      const stop = new AbortController();
      const { signal } = stop;
      mediaDevices.addEventListener('devicechange', changed, { signal });
      void listenTo(permission(), changed, signal);
      return () => stop.abort();
    },
  };
}

async function listenTo(
  asked: Promise<PermissionStatus>,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const status = await asked;
    status.addEventListener('change', changed, { signal });
  } catch {
    // A browser that cannot be asked reports no change either; devices still do.
  }
}

type CameraSource = Extract<FrameSource, { kind: 'camera' }>;

/** What the person switches on by choosing this source. */
export function capturePermissionFor(source: FrameSource): CapturePermission {
  return source.kind === 'camera' ? { open: 'camera' } : { open: 'screen', id: source.id };
}

/** A region is cut out of its screen on the main side. */
export async function openCaptureSource(
  media: VideoDevices,
  source: FrameSource,
): Promise<MediaStream> {
  if (source.kind !== 'camera') return media.openScreen();
  return media.openCamera(await findCamera(media, source));
}

/** By its id, or by its label where the id has changed, as it does when site data are cleared. */
async function findCamera(
  media: VideoDevices,
  { deviceId, label }: CameraSource,
): Promise<string | undefined> {
  if (deviceId === undefined && label === undefined) return undefined;
  const cameras = await media.cameras();
  const found =
    cameras.find((camera) => camera.deviceId === deviceId) ??
    cameras.find((camera) => camera.label !== '' && camera.label === label);
  // Not found is left to the browser: it knows more than the list shows before the first permission.
  return found?.deviceId ?? deviceId;
}

/** Why there are no pictures. The screens say it in words, with what to do. */
export type CaptureLostReason =
  /** There is no camera. */
  | 'none'
  /** Another program has it. */
  | 'taken'
  /** The camera that was chosen or used is not there (any more). */
  | 'unplugged'
  /** The person or the system said no. */
  | 'denied'
  /** The permission was taken back while the camera was open. */
  | 'withdrawn'
  /** The sharing of a screen or window was ended, or the window closed. */
  | 'ended'
  | 'failed';

const byName: Readonly<Record<string, CaptureLostReason>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'unplugged',
  NotReadableError: 'taken',
  AbortError: 'taken',
};

/** Why a camera or a screen did not open. */
export function captureLostReasonOf(error: unknown): CaptureLostReason {
  const name = error instanceof Error ? error.name : '';
  return Object.hasOwn(byName, name) ? (byName[name] ?? 'failed') : 'failed';
}

/** Why an open camera went away: whether it may still be used, then whether it is still there. */
export async function cameraEndedReason(
  media: VideoDevices,
  deviceId: string | undefined,
): Promise<CaptureLostReason> {
  if ((await cameraPermission(media)) !== 'granted') return 'withdrawn';
  const cameras = await media.cameras().catch((): readonly CameraDevice[] => []);
  return cameras.some((camera) => camera.deviceId === deviceId) ? 'taken' : 'unplugged';
}

/** What may come back by itself, so that the camera is tried again. A screen is picked by a person. */
export function isRetryable(reason: CaptureLostReason): boolean {
  return reason !== 'ended' && reason !== 'failed';
}

/** After a no the person is not asked again until the permission is there. */
export function isPermissionLost(reason: CaptureLostReason): boolean {
  return reason === 'denied' || reason === 'withdrawn';
}

/** A browser that cannot be asked is taken at its word when the camera opens. */
export async function cameraPermission(media: VideoDevices): Promise<PermissionState> {
  try {
    return await media.cameraPermission();
  } catch {
    return 'granted';
  }
}
