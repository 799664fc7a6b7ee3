import { beginStart } from './hosts/desktop/begin-start.ts';
import { runEntry } from './hosts/run-entry.ts';

const begun = beginStart();
if (begun !== undefined) {
  await runEntry(async () => {
    const [{ composeLog }, { openDesktop }, { killIfStuck }, { guardProcess }] = await Promise.all([
      import('./core/compose-log.ts'),
      import('./hosts/desktop/desktop.ts'),
      import('./hosts/end-in-time.ts'),
      import('./hosts/guard-process.ts'),
    ]);
    return () => {
      const log = composeLog();
      const { fail, isOpen } = openDesktop({ log, begun, lastWayOut: killIfStuck });
      guardProcess({ log, end: fail, stays: true, isOpen });
      return 0;
    };
  });
}
