import type { CapturePermission, FrameSource } from '../../shared/vision/vision-options.ts';
import type { VideoDevices } from './video-devices.ts';

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
