import type { CameraDevice, VideoDevices } from './video-devices.ts';

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
