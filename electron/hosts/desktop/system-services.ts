import { powerMonitor, safeStorage, session, shell } from 'electron';
import type { DesktopSession, SystemSleep } from '../../../shared/ports/desktop.ts';
import type { OpenFolder } from '../../../shared/ports/files.ts';
import type { ResolveSystemProxy } from '../../../shared/ports/sockets.ts';
import { parsePacResult } from '../../../shared/settings/proxy-address.ts';
import type { Keychain } from '../../settings/servers/secrets.ts';

/**
 * The system's keychain through Electron. On Linux without a keyring, Electron encrypts with a password that everybody
 * knows, so `available` is false.
 */
/* oxlint-disable typescript/no-deprecated */
export const systemKeychain: Keychain = {
  available: () => safeStorage.isEncryptionAvailable() && !sealsWithKnownPassword(),
  seal: (text) => safeStorage.encryptString(text),
  open: (sealed) => safeStorage.decryptString(Buffer.from(sealed)),
};
/* oxlint-enable typescript/no-deprecated */

function sealsWithKnownPassword(): boolean {
  if (process.platform !== 'linux') return false;
  return ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend());
}

/** Electron's sleep and lock events. On Linux, sleep needs logind, and Electron reports no locks. */
export const systemSleep: SystemSleep = {
  onResume: (resumed) => listen('resume', resumed),
  onSuspend: (suspending) => listen('suspend', suspending),
  onLock: (locked) => listen('lock-screen', locked),
};

/** Electron types one overload per event; a plain emitter accepts all names. */
function listen(name: 'resume' | 'suspend' | 'lock-screen', listener: () => void): () => void {
  const monitor: NodeJS.EventEmitter = powerMonitor;
  monitor.on(name, listener);
  return () => monitor.off(name, listener);
}

/** Adds the desktop session's lock events. A lock may be reported twice, which is harmless. */
export function systemSleepIn(session: Pick<DesktopSession, 'onLock'>): SystemSleep {
  return {
    ...systemSleep,
    onLock: (locked) => {
      const stops = [systemSleep.onLock(locked), session.onLock(locked)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** A session without pages, not stored on disk. */
const partition = 'proxy';

/**
 * Resolves the system's proxy, including PAC scripts, in a separate session, because the page's session is
 * pinned to an unreachable proxy, which keeps pages off the network. If it cannot be read, connects directly.
 */
export const askSystemProxy: ResolveSystemProxy = async (url) => {
  try {
    const proxySession = session.fromPartition(partition, { cache: false });
    await proxySession.setProxy({ mode: 'system' });
    return parsePacResult(await proxySession.resolveProxy(url));
  } catch {
    return ['direct'];
  }
};

/** Opens a folder in the system's file manager, if there is one. */
export const openFolder: OpenFolder = async (path) => {
  try {
    // Electron resolves to an error text, which is empty after success.
    return (await shell.openPath(path)) === '';
  } catch {
    return false;
  }
};
