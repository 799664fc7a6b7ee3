import { runEntry } from './hosts/run-entry.ts';

await runEntry(async () => {
  const [{ composeLog }, { guardProcess, sayOnStderr }, { runBrowserHost }] = await Promise.all([
    import('./core/compose-log.ts'),
    import('./hosts/guard-process.ts'),
    import('./hosts/browser/browser.ts'),
  ]);
  return () => {
    const log = composeLog();
    let open = false;
    guardProcess({ log, end: sayOnStderr, stays: true, isOpen: () => open });
    return runBrowserHost(process.argv.slice(2), log, () => {
      open = true;
    });
  };
});
