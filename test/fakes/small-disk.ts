import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { onTestFinished, type TestContext } from 'vitest';

/** Mounts a disk of one megabyte for a test, which is skipped where that is not allowed. */
export function mountSmallDisk(folder: string, context: TestContext): void {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    context.skip('No disk can be mounted here.');
  }
  onTestFinished(() => {
    execFileSync('umount', [folder]);
  });
}
