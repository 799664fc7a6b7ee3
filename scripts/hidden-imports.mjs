import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// A gate: the layer checker does not see `export type … from`, so such a line could hide a forbidden import.
// Import the type and export it by name instead.
const folders = ['electron', 'renderer', 'shared', 'test'];
const hidden = /^export type (?:\{[^}]*\}|\*[^;]*?) from /gm;

const found = folders
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(hidden)].map(
      ({ index }) => `${file}:${text.slice(0, index).split('\n').length}`,
    );
  });

for (const place of found)
  console.log(`${place}: "export type … from" hides an import from the layer checker`);
process.exitCode = found.length > 0 ? 1 : 0;
