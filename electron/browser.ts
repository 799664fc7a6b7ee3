// The entry of the browser host: runs the core, and serves the page to a browser.
import { runEntry } from './hosts/guard-process.ts';

await runEntry(async () => {
  const [{ composeLog }, { guardProcess, printToStderr }, { runBrowserHost }] = await Promise.all([
    import('./app/process-log.ts'),
    import('./hosts/guard-process.ts'),
    import('./hosts/browser/browser-host.ts'),
  ]);
  return () => {
    const log = composeLog();
    let isOpen = false;
    guardProcess({ log, end: printToStderr, isLongRunning: true, isOpen: () => isOpen });
    return runBrowserHost(process.argv.slice(2), log, () => {
      isOpen = true;
    });
  };
});
