import { existsSync } from 'node:fs';
import { inRoot } from './root.mjs';
import { run } from './run.mjs';

/**
 * @param {readonly string[]} args
 * @returns {Promise<string[] | undefined>} undefined if git fails
 */
const linesOfGit = async (args) => {
  const { code, output } = await run('git', args);
  return code === 0 ? output.split('\n').filter((line) => line !== '') : undefined;
};

/**
 * Lists the files edited since the last commit, or by the last commit if there are none.
 * @returns {Promise<string[] | undefined>} undefined outside of a git clone
 */
export const changedFiles = async () => {
  const edited = await linesOfGit(['diff', '--name-only', 'HEAD']);
  const added = await linesOfGit(['ls-files', '--others', '--exclude-standard']);
  if (edited === undefined || added === undefined) return undefined;
  const now = [...edited, ...added];
  const files = now.length > 0 ? now : await linesOfGit(['diff', '--name-only', 'HEAD~1', 'HEAD']);
  return files?.filter((file) => existsSync(inRoot(file)));
};
