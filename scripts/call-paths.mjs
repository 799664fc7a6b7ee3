import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inRoot } from './lib/root.mjs';
import {
  filesIn,
  productFolders,
  readSources,
  importsOf,
  includesOf,
} from './lib/source-files.mjs';
import {
  callPathLimits,
  checkCallPaths,
  describeLength,
  readCallPaths,
  shortestPath,
} from './lib/call-paths.mjs';

// A gate. Prints the length of each call path in docs/architecture.md and docs/call-paths.md, and checks that each step is
// explained and the length is within its limit. With `--traced`, it also runs three call paths in a test and lists the
// other files that ran. `node scripts/call-paths.mjs FROM-FILE TO-FILE` prints the shortest chain of files between two.

const pages = ['docs/architecture.md', 'docs/call-paths.md'].filter((page) => existsSync(page));
const imports = new Map([
  ...importsOf(readSources(productFolders)),
  ...includesOf(
    filesIn(productFolders).filter((file) => /\.(?:cc|h)$/.test(file)),
    (file) => readFileSync(file, 'utf8'),
  ),
]);
const [from, to] = process.argv.slice(2);

if (from !== undefined && to !== undefined) {
  const path = shortestPath(from, to, imports);
  console.log(path?.join('\n') ?? `No imports lead from ${from} to ${to}.`);
  process.exitCode = path === undefined ? 1 : 0;
} else {
  const callPaths = pages.flatMap((page) => readCallPaths(readFileSync(page, 'utf8')));
  const traced = from === '--traced' ? trace() : undefined;
  for (const callPath of callPaths) {
    const limit = callPathLimits.get(callPath.name);
    const limitNote =
      limit === undefined ? '' : ` (at most ${limit.files} files in ${limit.folders} folders)`;
    console.log(`${callPath.name}: ${describeLength(callPath)}${limitNote}`);
    const others = traced?.[callPath.name]?.executed.filter(
      (file) => !callPath.files.includes(file),
    );
    if (others !== undefined) console.log(`  ${others.length} more ran: ${others.join(' ')}`);
  }
  const problems = checkCallPaths(callPaths, imports);
  for (const line of problems) console.log(line);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** @typedef {Record<string, { executed: string[] } | undefined>} ExecutedFiles the files that ran, per call path */

/** @returns {ExecutedFiles} */
function trace() {
  const file = join(mkdtempSync(join(tmpdir(), 'parley-traced-')), 'traced.json');
  try {
    execFileSync(
      process.execPath,
      [inRoot('node_modules/vitest/vitest.mjs'), 'run', 'test/gates/call-paths.test.ts'],
      { env: { ...process.env, PARLEY_TRACED: file }, stdio: ['ignore', 'ignore', 'inherit'] },
    );
  } catch {
    console.log(
      'Some call paths differ from the documentation: npx vitest run test/gates/call-paths.test.ts',
    );
  }
  try {
    return /** @type {ExecutedFiles} */ (JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}
