import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { systemKeychain } from '../../../../../electron/hosts/desktop/load-core.ts';
import { killUtilityProcess } from '../../../../../electron/hosts/desktop/utility-child.ts';

vi.mock('electron', async () => ({
  ...(await import('../../../../fakes/fake-electron.ts')),
  safeStorage: {
    isEncryptionAvailable: () => electron.available,
    getSelectedStorageBackend: () => electron.backend,
  },
}));

const electron = vi.hoisted(() => ({ available: true, backend: 'gnome_libsecret' }));

describe('the keychain of the desktop', () => {
  it.each([
    ['linux', true, 'gnome_libsecret', true],
    ['linux', true, 'basic_text', false],
    ['linux', true, 'unknown', false],
    ['linux', false, 'gnome_libsecret', false],
    ['darwin', true, 'basic_text', true],
    ['win32', false, '', false],
  ] as const)(
    'is used on %s, available: %s, with %s: %s',
    (platform, available, backend, isUsed) => {
      vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
      Object.assign(electron, { available, backend });
      expect(systemKeychain.available()).toBe(isUsed);
    },
  );
});

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
});
