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

/** @returns {string | null} why Electron's sandbox cannot work for this user, with any binary */
export const rootReason = () =>
  process.platform === 'linux' && process.getuid?.() === 0
    ? "Electron's sandbox cannot work as root: run as an ordinary user, or pass --no-sandbox knowingly"
    : null;

/**
 * Checks that the kernel allows a sandbox, because Electron would abort without an understandable message.
 * @param {string} executable
 * @returns {Promise<string | null>} the reason, or null when the sandbox will work
 */
export const sandboxReason = async (executable) => {
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
