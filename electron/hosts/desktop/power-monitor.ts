import { powerMonitor } from 'electron';
import type { SystemSleep } from '../../ports/system-sleep.ts';

/**
 * What Electron says of sleep and of the screen's lock. On Linux sleep comes from logind, and where there
 * is none nothing does; the lock comes on macOS and Windows, and on Linux from logind as well.
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
