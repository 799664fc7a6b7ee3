import type { SeeingDoor } from '../../../shared/vision/seeing-settings.ts';

/** What a page asks the window's engine for. */
export interface Asked {
  readonly permission: string;
  readonly origin: string | undefined;
  readonly mainFrame: boolean;
  /** Of `media`: video, audio or both. */
  readonly media: readonly (string | undefined)[];
}

/**
 * Only our own page, only what the person has switched on, and never a microphone: sound is the main
 * side's own. Everything else stays denied.
 */
export function maySee(
  { permission, origin, mainFrame, media }: Asked,
  pageOrigin: string,
  door: SeeingDoor,
): boolean {
  if (!mainFrame || origin !== pageOrigin) return false;
  if (permission === 'display-capture') return door.open === 'screen';
  if (permission !== 'media' || door.open !== 'camera') return false;
  return media.length > 0 && media.every((kind) => kind === 'video');
}
