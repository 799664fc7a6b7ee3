import { displayVerdict } from './display.mjs';
import { ensureElectronLibraries } from './electron-libraries.mjs';
import { findElectron } from './electron-runtime.mjs';
import { withoutGraphicsCard } from './graphics-card.mjs';
import { networkWithin } from './network-within.mjs';
import { rootReason, sandboxReason } from './sandbox.mjs';
import { ended } from './say.mjs';
import { Stop } from './stop.mjs';

/** @typedef {{ kind: 'desktop', executable: string, flags: string[] }} DesktopHost */
/** @typedef {DesktopHost | { kind: 'browser', because: string | null }} Host */
/** @typedef {Pick<import('./start-arguments.mjs').StartArguments, 'host' | 'noSandbox'>} Wish */

/**
 * @param {string} reason
 * @returns {Stop}
 */
const noDesktop = (reason) => new Stop(`Parley's window cannot be opened: ${ended(reason)}`);

/**
 * What can be told before anything is installed, so that a forced desktop fails at once.
 * @param {Wish} wish
 * @returns {Promise<string | null>}
 */
const earlyReason = async ({ noSandbox }) => {
  const display = await displayVerdict();
  if ('reason' in display) return display.reason;
  return noSandbox ? null : rootReason();
};

/**
 * @param {Wish} wish
 * @returns {Promise<void>}
 */
export const stopEarly = async (wish) => {
  const reason = wish.host === 'desktop' ? await earlyReason(wish) : null;
  if (reason !== null) throw noDesktop(reason);
};

/**
 * @param {Wish} wish
 * @returns {Promise<DesktopHost | { reason: string }>}
 */
const desktopHost = async (wish) => {
  const early = await earlyReason(wish);
  if (early !== null) return { reason: early };
  const electron = await findElectron({ retry: wish.host === 'desktop' });
  if ('reason' in electron) return electron;
  await ensureElectronLibraries(electron.executable);
  const reason = wish.noSandbox ? null : await sandboxReason(electron.executable);
  if (reason !== null) return { reason };
  const onlyWayland = process.platform === 'linux' && !process.env['DISPLAY'];
  const flags = [
    ...(wish.noSandbox ? ['--no-sandbox'] : []),
    ...(onlyWayland ? ['--ozone-platform=wayland'] : []),
    ...withoutGraphicsCard().flags,
    ...networkWithin(),
  ];
  return { kind: 'desktop', executable: electron.executable, flags };
};

/**
 * The desktop where it can be, otherwise the browser with the reason; never what was not wished.
 * @param {Wish} wish
 * @returns {Promise<Host>}
 */
export const chooseHost = async (wish) => {
  if (wish.host === 'browser') return { kind: 'browser', because: null };
  if (wish.host === 'desktop') {
    const host = await desktopHost(wish);
    if ('reason' in host) throw noDesktop(host.reason);
    return host;
  }
  try {
    const host = await desktopHost(wish);
    return 'reason' in host ? { kind: 'browser', because: host.reason } : host;
  } catch (error) {
    // Missing system libraries end a forced desktop, but here there is another way.
    if (!(error instanceof Stop) || error.code >= 128) throw error;
    return { kind: 'browser', because: error.message };
  }
};
