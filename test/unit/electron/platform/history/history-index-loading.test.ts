import { expect, it, vi } from 'vitest';

const loaded = vi.fn();
vi.mock('node-sqlite3-wasm', () => {
  loaded();
  return { default: {} };
});

it('importing the history index does not load SQLite outside the index thread', async () => {
  const { openHistoryIndex } =
    await import('../../../../../electron/platform/history/history-index-thread.ts');
  const index = openHistoryIndex('/nowhere', undefined);
  await index.close();
  expect(loaded).not.toHaveBeenCalled();
});
