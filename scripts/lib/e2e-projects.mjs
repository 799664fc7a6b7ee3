import { displayVerdict, startVirtualScreen } from './display.mjs';
import { ensureElectronLibraries } from './system-packages.mjs';
import { findElectron } from './electron-runtime.mjs';
import { Stop } from './stop.mjs';
import { findChromium, findXvfb } from './test-tools.mjs';

/**
 * The Playwright projects that can run here, and the reason for each that cannot.
 * @typedef {object} E2ePlan
 * @property {readonly string[]} projects
 * @property {readonly { project: string, reason: string }[]} skipped
 * @property {NodeJS.ProcessEnv} env for Playwright
 * @property {() => void} end
 */

/** @returns {Promise<E2ePlan>} */
export const planE2e = async () => {
  const chromium = findChromium();
  const screen = await findScreen();
  const noWindow = 'reason' in screen ? screen.reason : await noElectronReason();
  const plan = [
    { project: 'browser', reason: 'reason' in chromium ? chromium.reason : null },
    { project: 'desktop', reason: noWindow },
    { project: 'packaged', reason: noWindow },
  ];
  return {
    projects: plan.flatMap(({ project, reason }) => (reason === null ? [project] : [])),
    skipped: plan.flatMap(({ project, reason }) => (reason === null ? [] : [{ project, reason }])),
    env: 'display' in screen ? { ...process.env, ...screen.env } : process.env,
    end: 'display' in screen ? screen.stop : () => undefined,
  };
};

/**
 * Does work in an environment where windows can open.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export const withScreen = async (work) => {
  const { skipped, env, end } = await planE2e();
  try {
    const noWindow = skipped.find(({ project }) => project === 'desktop');
    if (noWindow !== undefined) throw new Stop(noWindow.reason);
    Object.assign(process.env, env);
    return await work();
  } finally {
    end();
  }
};

/** @returns {Promise<string | null>} */
const noElectronReason = async () => {
  const electron = await findElectron();
  if ('reason' in electron) return electron.reason;
  try {
    await ensureElectronLibraries(electron.executable);
    return null;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return error.message;
  }
};

/** Parallel Playwright workers: three even on two processors, because the tests spend half their time waiting. */
const workerCount = 3;

/**
 * Starts a virtual screen for each worker if Xvfb is installed; otherwise the tests use the user's screen.
 * @returns {Promise<{ display: string, env: NodeJS.ProcessEnv, stop: () => void } | { reason: string }>}
 */
const findScreen = async () => {
  const xvfb = findXvfb();
  if (process.platform === 'linux' && 'executable' in xvfb) {
    const launches = Array.from({ length: workerCount }, () => startVirtualScreen(xvfb.executable));
    const screens = await Promise.all(launches);
    const displays = screens.map(({ display }) => display);
    const display = displays[0] ?? '';
    return {
      display,
      env: {
        DISPLAY: display,
        WAYLAND_DISPLAY: '',
        XDG_SESSION_TYPE: 'x11',
        PARLEY_E2E_SCREENS: displays.join(' '),
      },
      stop: () => {
        for (const { stop } of screens) stop();
      },
    };
  }
  const verdict = await displayVerdict();
  if ('reason' in verdict) return { reason: verdict.reason };
  return { display: verdict.display, env: {}, stop: () => undefined };
};
