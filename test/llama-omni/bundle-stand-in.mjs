// Bundles the stand-in for `llama-omni-server` into one file: node bundle-stand-in.mjs <file>.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = await build({
  root,
  configFile: false,
  logLevel: 'error',
  define: { PARLEY_VERSION: '"0.0.0"' },
  ssr: { noExternal: true },
  build: {
    ssr: 'test/llama-omni/stand-in.ts',
    write: false,
    target: 'node20',
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
await writeFile(process.argv[2] ?? '', output[0].code);
