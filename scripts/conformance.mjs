import { existsSync, readFileSync } from 'node:fs';
import { countStatements, judgeStatements, readStatements } from './lib/conformance.mjs';
import { filesIn } from './lib/source-files.mjs';

// A gate: docs/conformance.md lists every statement of the protocol documents, and each file and test that it names
// exists. Prints how many statements are in each state.

const page = 'docs/conformance.md';
const folders = ['shared', 'electron', 'renderer', 'test'];

// The small trees that gate tests use have no such page.
if (existsSync(page)) {
  const text = readFileSync(page, 'utf8');
  const statements = readStatements(text);
  const problems = judgeStatements(statements, {
    files: filesIn(folders),
    readText: (file) => readFileSync(file, 'utf8'),
  });
  const counted = countStatements(statements);
  if (!text.includes(counted)) problems.push(`The page does not say: ${counted}.`);
  console.log(counted);
  for (const line of problems) console.log(line);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
