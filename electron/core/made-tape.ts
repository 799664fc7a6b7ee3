import { join } from 'node:path';
import { packZip } from '../adapters/export/zip-writer.ts';
import { makeScratchFolder } from '../adapters/files/scratch-folder.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import { tapeFileNames } from '../recorder/recording/tape-file-names.ts';
import { tapeFiles } from '../recorder/recording/tape.ts';

type MakeTape<Value> = (into: string) => Promise<Outcome<Value>>;

/** Makes a tape in a new or empty folder, or as one file where that is what it is to be called. */
export async function madeTape<Value>(
  into: string,
  files: Files,
  make: MakeTape<Value>,
): Promise<Outcome<Value>> {
  if (!/\.parleytape$/iu.test(into)) return make(into);
  const { path: scratch, remove } = await makeScratchFolder('made');
  try {
    const made = await make(scratch);
    if (!made.ok) return made;
    const packed = await packTape(scratch, into, files);
    return packed.ok ? made : packed;
  } finally {
    await remove();
  }
}

async function packTape(folder: string, into: string, files: Files): Promise<Outcome<undefined>> {
  const names = await tapeFileNames(folder, { files });
  if (!names.ok) return names;
  const checksums = files.openToRead(`${folder}/${tapeFiles.checksums}`);
  if (checksums.ok) checksums.value.close();
  const all = checksums.ok ? [...names.value, tapeFiles.checksums] : names.value;
  return packZip(
    into,
    all.map((name) => ({ name, path: join(folder, name) })),
  );
}
