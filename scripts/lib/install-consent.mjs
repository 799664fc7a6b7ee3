import { createInterface } from 'node:readline/promises';
import { say } from './say.mjs';

// Whether packages may be installed into the system, where we are able to. Tests and builds are run to have
// what they need; who only wants to open Parley is asked.

/** @type {(packages: readonly string[]) => Promise<boolean>} */
let consent = () => Promise.resolve(true);

/**
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>}
 */
export const mayInstall = (packages) => consent(packages);

/**
 * From now on the person is asked, or, where nobody is there to answer, nothing is installed.
 * @param {{ yes: boolean }} wish
 */
export const askBeforeInstalling = ({ yes }) => {
  const inCi = !['', 'false', '0'].includes(process.env['CI'] ?? '');
  if (yes || inCi) return;
  consent = async (packages) => {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
    say(`Parley needs system packages: ${packages.join(', ')}.`);
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await asking.question('Install them now with apt-get? [y/N] ');
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      asking.close();
    }
  };
};
