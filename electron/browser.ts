import { runEntry } from './hosts/run-entry.ts';

await runEntry(async () => {
  const { runBrowserHost } = await import('./hosts/browser/browser.ts');
  return () => runBrowserHost(process.argv.slice(2));
});
