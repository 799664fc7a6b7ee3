import { createInterface } from 'node:readline/promises';
import { say } from './say.mjs';

// Decides whether Parley may install system packages. Tests and builds install what they need; `npm start` asks first.

/** @type {(packages: readonly string[]) => Promise<boolean>} */
let consent = () => Promise.resolve(true);

/**
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>}
 */
export const mayInstall = (packages) => consent(packages);

/**
 * Makes {@link mayInstall} ask the user. Without a terminal, and without `yes` or CI, it refuses.
 * @param {{ yes: boolean }} options
 */
export const askBeforeInstalling = ({ yes }) => {
  const inCi = !['', 'false', '0'].includes(process.env['CI'] ?? '');
  if (yes || inCi) return;
  consent = async (packages) => {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
    say(`Parley needs system packages: ${packages.join(', ')}.`);
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await prompt.question('Install them now with apt-get? [y/N] ');
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      prompt.close();
    }
  };
};
