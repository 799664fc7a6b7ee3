import { expect, it, vi } from 'vitest';

const loaded = vi.fn();
vi.mock('node-sqlite3-wasm', () => {
  loaded();
  return { default: {} };
});

it('a history index that is opened and not used does not load SQLite', async () => {
  // Other tests of this process may have loaded the module.
  vi.resetModules();
  const { openHistoryIndex } =
    await import('../../../../../electron/platform/history/history-index-thread.ts');
  const index = openHistoryIndex('/nowhere', undefined);
  await index.close();
  expect(loaded).not.toHaveBeenCalled();
});
