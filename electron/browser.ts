import { runEntry } from './hosts/run-entry.ts';

await runEntry(async () => {
  const [{ guardProcess, sayOnStderr }, { runBrowserHost }] = await Promise.all([
    import('./hosts/guard-process.ts'),
    import('./hosts/browser/browser.ts'),
  ]);
  return () => {
    guardProcess({ end: sayOnStderr, stays: true });
    return runBrowserHost(process.argv.slice(2));
  };
});
