import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../contract/sound/run-tool.ts';

/** A small test disk that can be filled. */
export class FillableDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-torture-'));
  readonly #mounted: boolean;
  readonly #filler = join(this.folder, 'filler');

  constructor(megabytes: number) {
    this.#mounted = mounts(this.folder, megabytes);
  }

  /** Without permission to mount, the disk is an ordinary folder. */
  get canBeFull(): boolean {
    return this.#mounted;
  }

  async fill(): Promise<void> {
    const { bavail, bsize } = statfsSync(this.folder);
    await runTool('fallocate', ['-l', String(Math.max(1, bavail * bsize)), this.#filler]);
  }

  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  /** Copies the disk, to examine it after a failure. */
  copy(): string {
    const copied = mkdtempSync(join(tmpdir(), 'parley-tortured-'));
    cpSync(this.folder, copied, { recursive: true });
    return copied;
  }

  end(): void {
    if (this.#mounted) execFileSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}

function mounts(folder: string, megabytes: number): boolean {
  const words = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
  try {
    execFileSync('mount', words, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
