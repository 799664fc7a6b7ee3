// Runs a TypeScript module in its own process, and its `run` function if it has one: node run-module.mjs
// <module>.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// The bundle is inside the project, so that its imports of packages resolve.
const folder = `${root}node_modules/.cache/modules`;

/**
 * The module's bundle, which loads faster than its single files. Tests start the same module many times and bundling
 * takes seconds of processor time, so the bundle is kept until one of its sources changes.
 * @param {string} module
 */
const bundleOf = async (module) => {
  const name = createHash('sha256').update(module).digest('hex').slice(0, 16);
  const [code, facts] = [`${folder}/${name}.mjs`, `${folder}/${name}.json`];
  try {
    const changedAt = /** @type {Record<string, number>} */ (
      JSON.parse(await readFile(facts, 'utf8'))
    );
    if (Object.entries(changedAt).every(([path, at]) => statSync(path).mtimeMs === at)) return code;
  } catch {
    // There is no bundle yet, or a source is gone.
  }
  const { build } = await import('vite');
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { PARLEY_VERSION: '"0.0.0"' },
    build: {
      ssr: module,
      write: false,
      target: 'node20',
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
  // Bundlers name modules that they make themselves with a null character.
  const sources = output[0].moduleIds.filter((id) => !id.startsWith('\0'));
  const times = [fileURLToPath(import.meta.url), ...sources].map((id) => {
    const path = id.replace(/\?.*$/, '');
    return [path, statSync(path).mtimeMs];
  });
  await mkdir(folder, { recursive: true });
  // The code before the facts, and both whole, because other processes read them meanwhile.
  await replace(code, output[0].code);
  await replace(facts, JSON.stringify(Object.fromEntries(times)));
  return code;
};

/** @type {(file: string, text: string) => Promise<void>} */
const replace = async (file, text) => {
  await writeFile(`${file}.${process.pid}`, text);
  await rename(`${file}.${process.pid}`, file);
};

const module = /** @type {{ run?: (...words: string[]) => Promise<void> }} */ (
  await import(pathToFileURL(await bundleOf(process.argv[2] ?? '')).href)
);
await module.run?.(...process.argv.slice(3));
