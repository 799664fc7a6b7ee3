import {
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes a package like Parley's with another app: the same program and fuses, and an archive whose code opens one empty
 * window.
 */
export function packBlank(folder: string, shippedProgram: string): string {
  const shipped = dirname(shippedProgram);
  mkdirSync(join(folder, 'resources'), { recursive: true });
  for (const entry of readdirSync(shipped)) {
    if (entry === 'parley' || entry === 'resources') continue;
    symlinkSync(join(shipped, entry), join(folder, entry));
  }
  const program = join(folder, 'blank');
  copyFileSync(shippedProgram, program, constants.COPYFILE_FICLONE);
  const main = readFileSync(join(import.meta.dirname, 'blank-app.cjs'));
  const about = Buffer.from(JSON.stringify({ name: 'blank', main: 'main.cjs' }));
  writeFileSync(
    join(folder, 'resources/app.asar'),
    packAsar({ 'package.json': about, 'main.cjs': main }),
  );
  return program;
}

/** Packs an asar archive: four lengths, a JSON index, and the files' contents. */
function packAsar(files: Readonly<Record<string, Buffer>>): Buffer {
  let offset = 0;
  const listed = Object.entries(files).map(([name, { length }]) => {
    const entry = [name, { size: length, offset: String(offset) }] as const;
    offset += length;
    return entry;
  });
  const json = Buffer.from(JSON.stringify({ files: Object.fromEntries(listed) }));
  const padded = Buffer.concat([json, Buffer.alloc(-json.length & 3)]);
  const lengths = Buffer.alloc(16);
  [4, padded.length + 8, padded.length + 4, json.length].forEach((length, at) =>
    lengths.writeUInt32LE(length, at * 4),
  );
  return Buffer.concat([lengths, padded, ...Object.values(files)]);
}
