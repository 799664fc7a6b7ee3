import { powerMonitor, safeStorage, session, shell } from 'electron';
import type { DesktopSession, SystemSleep } from '../../../shared/ports/desktop.ts';
import type { OpenFolder } from '../../../shared/ports/files.ts';
import type { AskSystemProxy } from '../../../shared/ports/sockets.ts';
import { readPacAnswer } from '../../../shared/settings/proxy-address.ts';
import type { Keychain } from '../../settings/servers/secrets.ts';

/**
 * The system's keychain by way of Electron. On Linux without a keyring Electron would seal with a
 * password that everyone can read in its source; that is no keychain, so none is claimed.
 *
 * Electron 45 calls these three old and still has them; what follows them is not in every Electron that runs Parley.
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

/**
 * What Electron says of sleep and of the screen's lock. On Linux sleep comes from logind, and where there is
 * none nothing does; of the lock Electron says nothing there.
 */
export const systemSleep: SystemSleep = {
  onResume: (resumed) => listen('resume', resumed),
  onSuspend: (suspending) => listen('suspend', suspending),
  onLock: (locked) => listen('lock-screen', locked),
};

/** Electron types an overload for each name; a plain emitter takes them all. */
function listen(name: 'resume' | 'suspend' | 'lock-screen', listener: () => void): () => void {
  const monitor: NodeJS.EventEmitter = powerMonitor;
  monitor.on(name, listener);
  return () => monitor.off(name, listener);
}

/** The same, with the lock also as the desktop tells of it: whoever hears of it twice does the same twice. */
export function systemSleepIn(session: Pick<DesktopSession, 'onLock'>): SystemSleep {
  return {
    ...systemSleep,
    onLock: (locked) => {
      const leaves = [systemSleep.onLock(locked), session.onLock(locked)];
      return () => {
        for (const leave of leaves) leave();
      };
    },
  };
}

/** Nobody's page is in it, and nothing of it is kept. */
const partition = 'proxy';

/**
 * The system's own settings, and a script that these may name. They are asked in a session of their own: that of the
 * pages has a proxy that leads nowhere. Where they cannot be read there is no proxy, as for a browser.
 */
export const askSystemProxy: AskSystemProxy = async (url) => {
  try {
    const asked = session.fromPartition(partition, { cache: false });
    await asked.setProxy({ mode: 'system' });
    return readPacAnswer(await asked.resolveProxy(url));
  } catch {
    return ['direct'];
  }
};

/** In the system's own file manager; a machine without one has nothing to open it with. */
export const openFolder: OpenFolder = async (path) => {
  try {
    // Electron answers with what went wrong, or with nothing.
    return (await shell.openPath(path)) === '';
  } catch {
    return false;
  }
};
