import { runEntry } from './hosts/run-entry.ts';

await runEntry(async () => {
  const { openDesktop } = await import('./hosts/desktop/desktop.ts');
  return () => {
    openDesktop();
    return 0;
  };
});
