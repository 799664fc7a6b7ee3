import { existsSync, readFileSync } from 'node:fs';
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

// A gate. Prints the length of each call path in docs/architecture.md and docs/call-paths.md. It checks that imports lead
// from each file to the next, and that the length is within its limit.
//
// `node scripts/call-paths.mjs FROM-FILE TO-FILE` prints the shortest chain of imports from one file to the other.

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
  for (const callPath of callPaths) {
    const limit = callPathLimits.get(callPath.name);
    const limitNote =
      limit === undefined ? '' : ` (at most ${limit.files} files in ${limit.folders} folders)`;
    console.log(`${callPath.name}: ${describeLength(callPath)}${limitNote}`);
  }
  const problems = checkCallPaths(callPaths, imports);
  for (const line of problems) console.log(line);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
