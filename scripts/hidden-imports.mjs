import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// A gate: the layer checker does not see `export type … from`, so such a line could hide a forbidden import.
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

for (const position of found)
  console.log(
    `${position}: "export type … from" hides an import from the layer checker. Import the type and export it by name.`,
  );
process.exitCode = found.length > 0 ? 1 : 0;
