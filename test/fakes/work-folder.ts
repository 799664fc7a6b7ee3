import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/** Creates a temporary folder for one test, and returns how to name files in it. */
export function workFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name) => join(folder, name);
}

/** Everything in a folder, as one text. */
export function readEveryFile(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const paths = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return paths.map((path) => `${path}\n${readFileSync(path, 'latin1')}`).join('\n');
}

/** Mounts a small disk for a test, which is skipped where that is not allowed. */
export function mountSmallDisk(folder: string, context: TestContext, size = '1m'): void {
  mkdirSync(folder, { recursive: true });
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder];
    execFileSync('mount', options, { stdio: 'pipe' });
  } catch {
    context.skip('No disk can be mounted here.');
  }
  onTestFinished(() => {
    execFileSync('umount', [folder]);
  });
}
