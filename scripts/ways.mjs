import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inRoot } from './lib/root.mjs';
import { filesIn, productRooms, readSources } from './lib/source-files.mjs';
import { importsOf, includesOf } from './lib/file-imports.mjs';
import { judgeWays, describeLength, readWays, shortestPath, wayLimits } from './lib/ways.mjs';

// A gate. It prints the length of each way in docs/architecture.md and docs/ways.md, and checks that the way is unbroken
// and within its limit. With `--walked`, it also runs each way in a test and lists the other files that ran.
// The command `node scripts/ways.mjs FROM-FILE TO-FILE` prints the shortest chain of files between two.

const pages = ['docs/architecture.md', 'docs/ways.md'].filter((page) => existsSync(page));
const imports = new Map([
  ...importsOf(readSources(productRooms)),
  ...includesOf(
    filesIn(productRooms).filter((file) => /\.(?:cc|h)$/.test(file)),
    (file) => readFileSync(file, 'utf8'),
  ),
]);
const [from, to] = process.argv.slice(2);

if (from !== undefined && to !== undefined) {
  const path = shortestPath(from, to, imports);
  console.log(path?.join('\n') ?? `Nothing leads from ${from} to ${to}.`);
  process.exitCode = path === undefined ? 1 : 0;
} else {
  const ways = pages.flatMap((page) => readWays(readFileSync(page, 'utf8')));
  const walked = from === '--walked' ? walk() : undefined;
  for (const way of ways) {
    const limit = wayLimits.get(way.name);
    const limitNote = limit === undefined ? '' : ` (at most ${limit.files} in ${limit.folders})`;
    console.log(`${way.name}: ${describeLength(way)}${limitNote}`);
    const others = walked?.[way.name]?.executed.filter((file) => !way.files.includes(file));
    if (others !== undefined) console.log(`  ${others.length} more ran: ${others.join(' ')}`);
  }
  const problems = judgeWays(ways, imports);
  for (const line of problems) console.log(line);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** @typedef {Record<string, { executed: string[] } | undefined>} WalkedWays the files that ran, per way */

/** @returns {WalkedWays} */
function walk() {
  const file = join(mkdtempSync(join(tmpdir(), 'parley-walked-')), 'walked.json');
  try {
    execFileSync(
      process.execPath,
      [inRoot('node_modules/vitest/vitest.mjs'), 'run', 'test/gates/walked-ways.test.ts'],
      { env: { ...process.env, PARLEY_WALKED: file }, stdio: ['ignore', 'ignore', 'inherit'] },
    );
  } catch {
    console.log(
      'Some ways differ from the documentation: npx vitest run test/gates/walked-ways.test.ts',
    );
  }
  try {
    return /** @type {WalkedWays} */ (JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}
