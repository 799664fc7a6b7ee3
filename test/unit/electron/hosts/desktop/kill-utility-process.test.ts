import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { killUtilityProcess } from '../../../../../electron/hosts/desktop/utility-child.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

function startProcess() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  return { child, exited: once(child, 'exit') };
}

describe('killUtilityProcess', () => {
  it('kills a process even if Electron’s kill has no effect', async () => {
    const { child, exited } = startProcess();
    killUtilityProcess({ pid: child.pid, kill: () => true });
    expect(await exited).toEqual([null, 'SIGKILL']);
  });

  it('does not fail if the process has exited unnoticed', async () => {
    const { child, exited } = startProcess();
    const { pid } = child;
    child.kill('SIGKILL');
    await exited;
    expect(() => {
      killUtilityProcess({ pid, kill: () => true });
    }).not.toThrow();
  });

  it('calls Electron’s kill while the process has no id', () => {
    const kill = vi.fn<() => boolean>(() => true);
    killUtilityProcess({ pid: undefined, kill });
    expect(kill).toHaveBeenCalledOnce();
  });
});
