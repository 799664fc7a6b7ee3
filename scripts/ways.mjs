import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inRoot } from './lib/root.mjs';
import { filesIn, productRooms, readSources } from './lib/source-files.mjs';
import { importsOf, includesOf } from './lib/file-imports.mjs';
import { judgeWays, lengthOf, readWays, shortestPath, wayLimits } from './lib/ways.mjs';

// `node scripts/ways.mjs`: how long the ways through the house are that docs/architecture.md shows, and
// a gate: each of them is whole, and short. With `--walked` each is walked, too, by the test that does,
// which takes some seconds: what else ran meanwhile stands beside the way, or is missing from it.
// `node scripts/ways.mjs ONE-FILE OTHER-FILE` prints the fewest files between two.

/** The ways of sound and silence, and all others. */
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
    const most = limit === undefined ? '' : ` (at most ${limit.files} in ${limit.folders})`;
    console.log(`${way.name}: ${lengthOf(way)}${most}`);
    const beside = walked?.[way.name]?.executed.filter((file) => !way.files.includes(file));
    if (beside !== undefined) console.log(`  ${beside.length} more ran: ${beside.join(' ')}`);
  }
  const wrong = judgeWays(ways, imports);
  for (const line of wrong) console.log(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

/** @typedef {Record<string, { executed: string[] } | undefined>} Walked what ran on each way */

/** @returns {Walked} */
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
      'Not every way leads as it is shown: npx vitest run test/gates/walked-ways.test.ts',
    );
  }
  try {
    return /** @type {Walked} */ (JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}
