import { app, powerMonitor, safeStorage, session, shell } from 'electron';
import { describeError } from '../../../shared/errors/app-error.ts';
import type { DesktopSession, SystemSleep } from '../../../shared/ports/desktop.ts';
import type { OpenFolder } from '../../../shared/ports/files.ts';
import type { CountingLog } from '../../../shared/ports/log.ts';
import type { ResolveSystemProxy } from '../../../shared/ports/sockets.ts';
import { parsePacResult } from '../../../shared/settings/proxy-address.ts';
import type { CursorHost } from '../../app/cursor-composition.ts';
import { findOtherPrograms } from '../../app/other-programs.ts';
import type { Keychain } from '../../../shared/ports/secrets.ts';
import { version } from '../build-info.ts';
import { captureScreen, createShareables } from './desktop-capture.ts';
import { type DesktopCore, desktopCore } from './desktop-core.ts';
import type { DesktopWindows } from './desktop-windows.ts';
import { foreignClipboard } from './foreign-clipboard.ts';
import { globalKeyBackends } from './global-key-backends.ts';
import { confirmInDialog, openInDialog, saveInDialog } from './system-dialogs.ts';
import { utilityProcesses } from './utility-child.ts';

interface HostContext {
  readonly windows: DesktopWindows;
  readonly session: DesktopSession;
  readonly log: CountingLog;
  readonly isSafe: boolean;
  readonly restart: () => void;
}

/** Loads the core and opens it for the desktop host. */
export async function loadCore({
  windows,
  session,
  log,
  isSafe,
  restart,
}: HostContext): Promise<DesktopCore> {
  const { openParley } = await import('../../app/parley.ts').catch((cause: unknown) => {
    const remedy = 'if you changed nothing, delete node_modules and start Parley again.';
    throw new Error(`${describeError(cause)}; ${remedy}`, { cause });
  });
  const parley = openParley('desktop', version, log, {
    shareables: createShareables(),
    keychain: systemKeychain,
    askSystemProxy,
    confirm: confirmInDialog,
    windows,
    runningPackage: app.isPackaged
      ? { version, file: process.execPath, resources: process.resourcesPath, restart }
      : undefined,
    systemSleep: systemSleepIn(session),
    openFolder,
    saveMethod: saveInDialog,
    openMethod: openInDialog,
    cursor: isSafe ? undefined : createCursorHost(windows),
    defaultDevices: isSafe,
    processes: utilityProcesses,
    globalKeys: isSafe ? [] : globalKeyBackends(),
  });
  return desktopCore(parley);
}

/** The small window, and the programs over which it opens. */
function createCursorHost({
  cursor,
  region,
}: Pick<DesktopWindows, 'cursor' | 'region'>): CursorHost {
  return {
    window: cursor,
    regionWindow: region,
    programs: findOtherPrograms({ clipboard: foreignClipboard(), hideOwnWindow: cursor.hide }),
    captureScreen,
  };
}

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
function systemSleepIn(session: Pick<DesktopSession, 'onLock'>): SystemSleep {
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
const askSystemProxy: ResolveSystemProxy = async (url) => {
  try {
    const proxySession = session.fromPartition(partition, { cache: false });
    await proxySession.setProxy({ mode: 'system' });
    return parsePacResult(await proxySession.resolveProxy(url));
  } catch {
    return ['direct'];
  }
};

/** Opens a folder in the system's file manager, if there is one. */
const openFolder: OpenFolder = async (path) => {
  try {
    // Electron resolves to an error text, which is empty after success.
    return (await shell.openPath(path)) === '';
  } catch {
    return false;
  }
};
