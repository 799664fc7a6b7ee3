import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './run.mjs';
import { which } from './which.mjs';

/** @param {string} executable */
const hasSetuidHelper = (executable) => {
  const file = join(dirname(executable), 'chrome-sandbox');
  const helper = statSync(file, { throwIfNoEntry: false });
  return helper?.uid === 0 && (helper.mode & 0o4001) === 0o4001;
};

/** @returns {string | null} why Electron's sandbox cannot work for this user, whatever the binary */
export const rootReason = () =>
  process.platform === 'linux' && process.getuid?.() === 0
    ? "Electron's sandbox cannot work as root: run as an ordinary user, or pass --no-sandbox knowingly"
    : null;

/**
 * Electron aborts without a word for people where the kernel refuses it a sandbox.
 * @param {string} executable
 * @returns {Promise<string | null>} the reason, or null when the sandbox will work
 */
export const sandboxReason = async (executable) => {
  if (process.platform !== 'linux') return null;
  const asRoot = rootReason();
  if (asRoot !== null || hasSetuidHelper(executable)) return asRoot;
  const unshare = which('unshare');
  // Electron's other way is a user namespace; making one is the only honest test of the kernel.
  if (unshare === undefined) return null;
  const { code } = await run(unshare, ['--user', '--map-root-user', 'true']);
  return code === 0
    ? null
    : "this system refuses Electron's sandbox: allow unprivileged user namespaces, or pass --no-sandbox knowingly";
};
