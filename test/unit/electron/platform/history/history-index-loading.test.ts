import { expect, it, vi } from 'vitest';

const loaded = vi.fn();
vi.mock('node-sqlite3-wasm', () => {
  loaded();
  return { default: {} };
});

it('loads no SQLite in a thread that asks nothing of it: the index has a thread of its own', async () => {
  const { openHistoryIndex } =
    await import('../../../../../electron/platform/history/history-index-thread.ts');
  const index = openHistoryIndex('/nowhere', undefined);
  await index.close();
  expect(loaded).not.toHaveBeenCalled();
});
