import { runEntry } from './hosts/run-entry.ts';

await runEntry(async () => {
  const [{ openDesktop }, { guardProcess }] = await Promise.all([
    import('./hosts/desktop/desktop.ts'),
    import('./hosts/guard-process.ts'),
  ]);
  return () => {
    guardProcess({ end: openDesktop(), stays: true });
    return 0;
  };
});
