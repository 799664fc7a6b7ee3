import { powerMonitor } from 'electron';
import type { DesktopSession } from '../../ports/desktop-session.ts';
import type { SystemSleep } from '../../ports/system-sleep.ts';

/**
 * What Electron says of sleep and of the screen's lock. On Linux sleep comes from logind, and where there is
 * none nothing does; of the lock Electron says nothing there.
 */
export const systemSleep: SystemSleep = {
  onResume: (resumed) => listen('resume', resumed),
  onSuspend: (suspending) => listen('suspend', suspending),
  onLock: (locked) => listen('lock-screen', locked),
};

/** Electron types an overload for each name; a plain emitter takes them all. */
function listen(name: 'resume' | 'suspend' | 'lock-screen', listener: () => void): () => void {
  const monitor: NodeJS.EventEmitter = powerMonitor;
  monitor.on(name, listener);
  return () => {
    monitor.off(name, listener);
  };
}

/** The same, with the lock also as the desktop tells of it: whoever hears of it twice does the same twice. */
export function systemSleepIn(session: Pick<DesktopSession, 'onLock'>): SystemSleep {
  return {
    ...systemSleep,
    onLock: (locked) => {
      const leaves = [systemSleep.onLock(locked), session.onLock(locked)];
      return () => {
        for (const leave of leaves) leave();
      };
    },
  };
}
