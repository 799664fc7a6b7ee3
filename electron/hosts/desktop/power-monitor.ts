import { powerMonitor } from 'electron';
import type { SystemSleep } from '../../ports/system-sleep.ts';

/** What Electron says of sleep; on Linux it comes from logind, and where there is none, nothing does. */
export const systemSleep: SystemSleep = {
  onResume: (resumed) => {
    powerMonitor.on('resume', resumed);
    return () => {
      powerMonitor.off('resume', resumed);
    };
  },
};
