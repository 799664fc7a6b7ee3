// Runs a TypeScript module in a process of its own, and its `run` where it has one:
// node run-module.mjs <module>.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// In the project, where the module finds what it asks for beside itself and above.
const folder = `${root}node_modules/.cache/modules`;

/** As one file: that takes a tenth of the time that a file at a time does. */
const built = await build({
  root,
  configFile: false,
  logLevel: 'error',
  define: { PARLEY_VERSION: '"0.0.0"' },
  build: {
    ssr: process.argv[2] ?? '',
    write: false,
    target: 'node20',
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
await mkdir(folder, { recursive: true });
const file = `${folder}/${process.pid}.mjs`;
await writeFile(file, output[0].code);
/** @type {{ run?: (...words: string[]) => Promise<void> }} */
let module;
try {
  module = /** @type {typeof module} */ (await import(pathToFileURL(file).href));
} finally {
  // A process that is killed leaves nothing.
  await rm(file);
}
await module.run?.(...process.argv.slice(3));
