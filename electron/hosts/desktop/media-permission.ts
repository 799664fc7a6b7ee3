import type { CapturePermission } from '../../../shared/vision/vision-options.ts';

/** What a page asks the window's engine for. */
export interface MediaPermissionRequest {
  readonly permission: string;
  readonly origin: string | undefined;
  readonly mainFrame: boolean;
  /** Of `media`: video, audio or both; none for the capture of a screen. */
  readonly media: readonly (string | undefined)[];
}

/**
 * Only our own page, only what the person has switched on, and never a microphone: sound is the main
 * side's own. Everything else stays denied.
 */
export function isMediaAllowed(
  { permission, origin, mainFrame, media }: MediaPermissionRequest,
  pageOrigin: string,
  capture: CapturePermission,
): boolean {
  if (!mainFrame || origin !== pageOrigin) return false;
  // Electron names the capture of a screen in one way or the other; which one, we decide later.
  const ofScreen = permission === 'display-capture' || (permission === 'media' && !media.length);
  if (ofScreen) return capture.open === 'screen';
  return (
    permission === 'media' && capture.open === 'camera' && media.every((kind) => kind === 'video')
  );
}
