import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { killUtilityProcess } from '../../../../../electron/hosts/desktop/utility-child.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

function sleeper() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  return { child, gone: once(child, 'exit') };
}

describe('killing a process', () => {
  it('ends one that hears no kinder word', async () => {
    const { child, gone } = sleeper();
    killUtilityProcess({ pid: child.pid, kill: () => true });
    expect(await gone).toEqual([null, 'SIGKILL']);
  });

  it('is no fault where it went by itself, and Electron has not said so yet', async () => {
    const { child, gone } = sleeper();
    const { pid } = child;
    child.kill('SIGKILL');
    await gone;
    expect(() => {
      killUtilityProcess({ pid, kill: () => true });
    }).not.toThrow();
  });

  it('is asked of Electron while it has no number', () => {
    const kill = vi.fn<() => boolean>(() => true);
    killUtilityProcess({ pid: undefined, kill });
    expect(kill).toHaveBeenCalledOnce();
  });
});
