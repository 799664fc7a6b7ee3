import type { UtilityProcess } from 'electron';

/**
 * One that hangs would not hear a kinder word, and none has anything to finish. It may be gone by now without
 * Electron having said so: then there is nothing to be done.
 */
export function killUtilityProcess(child: Pick<UtilityProcess, 'pid' | 'kill'>): void {
  const { pid } = child;
  try {
    if (pid === undefined) child.kill();
    else process.kill(pid, 'SIGKILL');
  } catch {
    // It was faster.
  }
}
