import type { CameraDevice, Media } from './media.ts';

/** Why there are no pictures. The screens say it in words, with what to do. */
export type LostReason =
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

const byName: Readonly<Record<string, LostReason>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'unplugged',
  NotReadableError: 'taken',
  AbortError: 'taken',
};

/** Why a camera or a screen did not open. */
export function reasonOf(error: unknown): LostReason {
  const name = error instanceof Error ? error.name : '';
  return Object.hasOwn(byName, name) ? (byName[name] ?? 'failed') : 'failed';
}

/** Why an open camera went away: whether it may still be used, then whether it is still there. */
export async function whyCameraEnded(
  media: Media,
  deviceId: string | undefined,
): Promise<LostReason> {
  if ((await mayUseCamera(media)) !== 'granted') return 'withdrawn';
  const cameras = await media.cameras().catch((): readonly CameraDevice[] => []);
  return cameras.some((camera) => camera.deviceId === deviceId) ? 'taken' : 'unplugged';
}

/** What may come back by itself, so that the camera is tried again. A screen is picked by a person. */
export function comesBack(reason: LostReason): boolean {
  return reason !== 'ended' && reason !== 'failed';
}

/** After a no the person is not asked again until the permission is there. */
export function wasRefused(reason: LostReason): boolean {
  return reason === 'denied' || reason === 'withdrawn';
}

/** A browser that cannot be asked is taken at its word when the camera opens. */
export async function mayUseCamera(media: Media): Promise<PermissionState> {
  try {
    return await media.mayUseCamera();
  } catch {
    return 'granted';
  }
}
