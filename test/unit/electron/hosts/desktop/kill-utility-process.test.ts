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
  it('ends a process that ignores other signals', async () => {
    const { child, gone } = sleeper();
    killUtilityProcess({ pid: child.pid, kill: () => true });
    expect(await gone).toEqual([null, 'SIGKILL']);
  });

  it('does not fail if the process has exited unnoticed', async () => {
    const { child, gone } = sleeper();
    const { pid } = child;
    child.kill('SIGKILL');
    await gone;
    expect(() => {
      killUtilityProcess({ pid, kill: () => true });
    }).not.toThrow();
  });

  it('asks Electron while the process has no id', () => {
    const kill = vi.fn<() => boolean>(() => true);
    killUtilityProcess({ pid: undefined, kill });
    expect(kill).toHaveBeenCalledOnce();
  });
});
