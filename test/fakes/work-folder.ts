import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a temporary folder for one test, and returns how to name files in it. */
export function workFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name) => join(folder, name);
}
