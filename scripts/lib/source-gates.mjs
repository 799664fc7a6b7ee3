import { inRoot } from './root.mjs';

// Runs gates that read the parsed sources, one after another in this process, so that each file is parsed once:
// node scripts/lib/source-gates.mjs SCRIPT… Prints a line of JSON for each, as {@link SourceGateResult}.

/**
 * @typedef {object} SourceGateResult
 * @property {boolean} passed
 * @property {string} output
 * @property {number} seconds
 */

const scripts = process.argv.slice(2);
const { log } = console;

for (const script of scripts) {
  const began = performance.now();
  /** @type {string[]} */
  const lines = [];
  console.log = (/** @type {unknown} */ line) => void lines.push(String(line));
  process.argv = process.argv.slice(0, 2);
  process.exitCode = 0;
  try {
    await import(inRoot(script));
  } catch (error) {
    lines.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  }
  const passed = process.exitCode === 0;
  const seconds = (performance.now() - began) / 1000;
  log(JSON.stringify({ passed, output: lines.join('\n'), seconds }));
}
process.exitCode = 0;
