import { BrowserWindow, screen } from 'electron';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { boundsWithin } from './window-bounds.ts';
import type { WindowBounds } from './window-bounds.ts';

export function workAreas(): readonly WindowBounds[] {
  return screen.getAllDisplays().map(({ workArea }) => workArea);
}

/** Windows come back to a display that is there, when theirs was unplugged or has become smaller. */
export function keepOnScreen(lifetime: Lifetime): void {
  // Electron types an overload for each name; a plain emitter takes them all.
  const displays: NodeJS.EventEmitter = screen;
  for (const name of ['display-removed', 'display-metrics-changed']) {
    displays.on(name, rescueAll);
    lifetime.add(() => {
      displays.off(name, rescueAll);
    });
  }
}

function rescueAll(): void {
  for (const window of BrowserWindow.getAllWindows()) rescueWindow(window);
}

/** Puts a window where a hand can take it; one that can be taken stays as it is. */
export function rescueWindow(window: BrowserWindow): void {
  const { x, y, width, height } = window.getNormalBounds();
  const now = { x, y, width, height };
  const safe = boundsWithin(now, workAreas(), screen.getPrimaryDisplay().workArea);
  if (safe !== now) window.setBounds(safe);
}
