// Runs a TypeScript module in a process of its own, and its `run` where it has one:
// node run-module.mjs <module>.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

/** @type {{ module: { run?: (...words: string[]) => Promise<void> } }} */
const { module } = await runnerImport(process.argv[2] ?? '', {
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  configFile: false,
  logLevel: 'error',
});
await module.run?.(...process.argv.slice(3));
