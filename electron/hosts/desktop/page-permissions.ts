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

const maxLength = 2000;

/** One plain mailbox: nothing that is quoted, coded or a list. */
const mailbox = /^[a-z\d][a-z\d.!#$'*+/=^_`{|}~-]*@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;

/**
 * What the system may open in place of an address: pages and letters, since any other scheme could start
 * a program. A letter gets its receiver and no word more, or a page would write it and say what is enclosed.
 */
export function externalLink(address: string): string | undefined {
  if (address.length > maxLength || !URL.canParse(address)) return undefined;
  const { protocol, pathname, href } = new URL(address);
  if (protocol === 'http:' || protocol === 'https:') return href;
  return protocol === 'mailto:' && mailbox.test(pathname) ? `mailto:${pathname}` : undefined;
}
