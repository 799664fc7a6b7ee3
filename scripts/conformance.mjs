import { existsSync, readFileSync } from 'node:fs';
import { countStatements, judgeStatements, readStatements } from './lib/conformance.mjs';
import { filesIn } from './lib/source-files.mjs';

// `node scripts/conformance.mjs`: every statement of the protocol's documents stands in docs/conformance.md, and each
// file and test that it names there is in the tree. Prints how many there are of each state.

const page = 'docs/conformance.md';
const rooms = ['shared', 'electron', 'renderer', 'test'];

// A small tree, in which other gates are tried, has no such page.
if (existsSync(page)) {
  const text = readFileSync(page, 'utf8');
  const statements = readStatements(text);
  const wrong = judgeStatements(statements, {
    files: filesIn(rooms),
    textOf: (file) => readFileSync(file, 'utf8'),
  });
  const counted = countStatements(statements);
  if (!text.includes(counted)) wrong.push(`The page does not say: ${counted}.`);
  console.log(counted);
  for (const line of wrong) console.log(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
