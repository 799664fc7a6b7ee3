import type { Files } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { tapeFiles } from './tape.ts';

/** Makes a folder of a tape that is one file, for as long as it is wanted. */
export type UnpackTape = (
  path: string,
) => Promise<Outcome<{ readonly folder: string; readonly remove: () => Promise<void> }>>;

export interface TapePlaceDeps {
  readonly files: Pick<Files, 'openToRead'>;
  readonly unpack: UnpackTape;
}

interface TapePlace {
  /** Where its files lie. */
  readonly folder: string;
  /** As a person calls it, in what is said of it. */
  readonly called: string;
  /** Takes away what was unpacked for it. */
  readonly leave: () => Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

/** Where the files of a tape are that somebody pointed at: its folder, the file of its lines, or all of it in one file. */
export async function findTapePlace(
  path: string,
  { files, unpack }: TapePlaceDeps,
): Promise<Outcome<TapePlace>> {
  const called = plainTapePath(path);
  if (!isOneFile(called, files))
    return { ok: true, value: { folder: called, called, leave: nothing } };
  const unpacked = await unpack(called);
  if (!unpacked.ok) return unpacked;
  const { folder, remove } = unpacked.value;
  return { ok: true, value: { folder, called, leave: remove } };
}

/** Does something with the files of a tape that somebody pointed at. */
export async function inTapePlace<Value>(
  path: string,
  deps: TapePlaceDeps,
  work: (folder: string, called: string) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const place = await findTapePlace(path, deps);
  if (!place.ok) return place;
  const { folder, called, leave } = place.value;
  try {
    return await work(folder, called);
  } finally {
    await leave();
  }
}

/** The folder of a tape where its lines were pointed at; else what was. */
export function plainTapePath(path: string): string {
  const plain = path.replace(/(?<=.)[/\\]+$/u, '');
  if (plain === tapeFiles.lines) return '.';
  return plain.replace(/[/\\]tape\.ndjson$/u, '');
}

/** Beside a tape: its path without what only says how it is kept. */
export function tapeStem(path: string): string {
  return plainTapePath(path).replace(oneFile, '');
}

const oneFile = /\.parleytape$/iu;

/** Whatever it is called: mail renames what it does not know. Where nothing is there, its name says what was meant. */
function isOneFile(path: string, files: TapePlaceDeps['files']): boolean {
  const opened = files.openToRead(path);
  if (opened.ok) opened.value.close();
  return opened.ok || (oneFile.test(path) && opened.error.code !== 'isFolder');
}
