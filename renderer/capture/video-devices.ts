import type { CapturePermission, FrameSource } from '../../shared/vision/vision-options.ts';

export interface CameraDevice {
  readonly deviceId: string;
  /** Empty until the user has allowed a camera once. */
  readonly label: string;
}

export interface VideoDevices {
  /** Opens exactly this camera, or any if undefined. Rejects as `getUserMedia` does. */
  readonly openCamera: (deviceId: string | undefined) => Promise<MediaStream>;
  readonly openScreen: () => Promise<MediaStream>;
  readonly cameras: () => Promise<readonly CameraDevice[]>;
  readonly cameraPermission: () => Promise<PermissionState>;
  readonly onChange: (listener: () => void) => () => void;
}

/** Enough for the preview and for the nine slices that the model sees at most. Larger frames only cost time. */
const camera = { width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 10 } };

/** The model gets about one frame a second; the preview a few more. */
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
    onChange: (listener) => {
      const stop = new AbortController();
      const { signal } = stop;
      mediaDevices.addEventListener('devicechange', listener, { signal });
      void listenTo(permission(), listener, signal);
      return () => stop.abort();
    },
  };
}

async function listenTo(
  permission: Promise<PermissionStatus>,
  listener: () => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const status = await permission;
    status.addEventListener('change', listener, { signal });
  } catch {
    // Browsers that do not know the name of this permission report no change of it. Device changes still arrive.
  }
}

type CameraSource = Extract<FrameSource, { kind: 'camera' }>;

export function capturePermissionFor(source: FrameSource): CapturePermission {
  return source.kind === 'camera' ? { open: 'camera' } : { open: 'screen', id: source.id };
}

/** A region opens its whole screen; the core crops it. */
export async function openCaptureSource(
  media: VideoDevices,
  source: FrameSource,
): Promise<MediaStream> {
  if (source.kind !== 'camera') return media.openScreen();
  return media.openCamera(await findCamera(media, source));
}

/** Finds the camera by id, or by label, because clearing site data changes ids. */
async function findCamera(
  media: VideoDevices,
  { deviceId, label }: CameraSource,
): Promise<string | undefined> {
  if (deviceId === undefined && label === undefined) return undefined;
  const cameras = await media.cameras();
  const found =
    cameras.find((camera) => camera.deviceId === deviceId) ??
    cameras.find((camera) => camera.label !== '' && camera.label === label);
  // The browser decides about an unknown id, because the list is incomplete before the first
  // permission.
  return found?.deviceId ?? deviceId;
}

/** Why there is no picture. */
export type CaptureLostReason =
  | 'none'
  | 'taken'
  | 'unplugged'
  | 'denied'
  /** The permission was revoked while the camera was open. */
  | 'withdrawn'
  | 'ended'
  | 'failed';

const reasonByErrorName: Readonly<Record<string, CaptureLostReason>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'unplugged',
  NotReadableError: 'taken',
  AbortError: 'taken',
};

export function toCaptureLostReason(error: unknown): CaptureLostReason {
  const name = error instanceof Error ? error.name : '';
  return Object.hasOwn(reasonByErrorName, name) ? (reasonByErrorName[name] ?? 'failed') : 'failed';
}

/** Why an open camera ended. Checks the permission first, then the device list. */
export async function cameraEndedReason(
  media: VideoDevices,
  deviceId: string | undefined,
): Promise<CaptureLostReason> {
  if ((await cameraPermission(media)) !== 'granted') return 'withdrawn';
  const cameras = await media.cameras().catch((): readonly CameraDevice[] => []);
  return cameras.some((camera) => camera.deviceId === deviceId) ? 'taken' : 'unplugged';
}

/** Whether Parley opens the camera again when it, or the permission, is back. The user must share an ended screen again. */
export function isRetryable(reason: CaptureLostReason): boolean {
  return reason !== 'ended' && reason !== 'failed';
}

/** After a refusal, Parley does not ask again until the permission is granted. */
export function isPermissionLost(reason: CaptureLostReason): boolean {
  return reason === 'denied' || reason === 'withdrawn';
}

/** If the browser cannot query the permission, opening the camera decides. */
export async function cameraPermission(media: VideoDevices): Promise<PermissionState> {
  try {
    return await media.cameraPermission();
  } catch {
    return 'granted';
  }
}
