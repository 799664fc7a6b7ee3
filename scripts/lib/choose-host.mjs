import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run, which } from './run.mjs';
import { displayVerdict } from './display.mjs';
import { ensureElectronLibraries } from './system-packages.mjs';
import { findElectron } from './electron-runtime.mjs';
import { noGraphicsCardOptions, networkServiceFlags } from './electron-flags.mjs';
import { withFullStop } from './say.mjs';
import { Stop } from './stop.mjs';

/** @param {string} executable */
const hasSetuidHelper = (executable) => {
  const file = join(dirname(executable), 'chrome-sandbox');
  const helper = statSync(file, { throwIfNoEntry: false });
  return helper?.uid === 0 && (helper.mode & 0o4001) === 0o4001;
};

/** @returns {string | null} why Electron's sandbox cannot work for this user, with any binary */
const rootReason = () =>
  process.platform === 'linux' && process.getuid?.() === 0
    ? "Electron's sandbox cannot work as root: run as an ordinary user, or pass --no-sandbox knowingly"
    : null;

/**
 * Checks that the kernel allows a sandbox, because Electron would abort without an understandable message.
 * @param {string} executable
 * @returns {Promise<string | null>} the reason, or null when the sandbox will work
 */
const sandboxReason = async (executable) => {
  if (process.platform !== 'linux') return null;
  const asRoot = rootReason();
  if (asRoot !== null || hasSetuidHelper(executable)) return asRoot;
  const unshare = which('unshare');
  // Without the setuid helper, Electron uses a user namespace. Only creating one shows that the kernel allows it.
  if (unshare === undefined) return null;
  const { code } = await run(unshare, ['--user', '--map-root-user', 'true']);
  return code === 0
    ? null
    : "this system refuses Electron's sandbox: allow unprivileged user namespaces, or pass --no-sandbox knowingly";
};

/** @typedef {{ kind: 'desktop', executable: string, flags: string[] }} DesktopHost */
/** @typedef {DesktopHost | { kind: 'browser', fallbackReason: string | null }} Host */
/** @typedef {Pick<import('./start-arguments.mjs').StartArguments, 'host' | 'noSandbox'>} HostOptions */

/**
 * @param {string} reason
 * @returns {Stop}
 */
const noDesktop = (reason) => new Stop(`Parley's window cannot be opened: ${withFullStop(reason)}`);

/**
 * Checks what is known before anything is installed, so that `--desktop` fails at once.
 * @param {HostOptions} options
 * @returns {Promise<string | null>}
 */
const earlyReason = async ({ noSandbox }) => {
  const display = await displayVerdict();
  if ('reason' in display) return display.reason;
  return noSandbox ? null : rootReason();
};

/**
 * @param {HostOptions} options
 * @returns {Promise<void>}
 */
export const checkDesktopEarly = async (options) => {
  const reason = options.host === 'desktop' ? await earlyReason(options) : null;
  if (reason !== null) throw noDesktop(reason);
};

/**
 * @param {HostOptions} options
 * @returns {Promise<DesktopHost | { reason: string }>}
 */
const desktopHost = async (options) => {
  const early = await earlyReason(options);
  if (early !== null) return { reason: early };
  const electron = await findElectron({ retry: options.host === 'desktop' });
  if ('reason' in electron) return electron;
  await ensureElectronLibraries(electron.executable);
  const reason = options.noSandbox ? null : await sandboxReason(electron.executable);
  if (reason !== null) return { reason };
  const onlyWayland = process.platform === 'linux' && !process.env['DISPLAY'];
  const flags = [
    ...(options.noSandbox ? ['--no-sandbox'] : []),
    ...(onlyWayland ? ['--ozone-platform=wayland'] : []),
    ...noGraphicsCardOptions().flags,
    ...networkServiceFlags(),
  ];
  return { kind: 'desktop', executable: electron.executable, flags };
};

/**
 * Picks the desktop if it can open, otherwise the browser with the reason. `--desktop` and `--browser` are never overridden.
 * @param {HostOptions} options
 * @returns {Promise<Host>}
 */
export const chooseHost = async (options) => {
  if (options.host === 'browser') return { kind: 'browser', fallbackReason: null };
  if (options.host === 'desktop') {
    const host = await desktopHost(options);
    if ('reason' in host) throw noDesktop(host.reason);
    return host;
  }
  try {
    const host = await desktopHost(options);
    return 'reason' in host ? { kind: 'browser', fallbackReason: host.reason } : host;
  } catch (error) {
    // Missing system libraries are fatal only for `--desktop`.
    if (!(error instanceof Stop) || error.code >= 128) throw error;
    return { kind: 'browser', fallbackReason: error.message };
  }
};
