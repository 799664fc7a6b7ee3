import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type DataFolder, type Files, readNow } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import type { ReplayExample } from '../../../shared/recordings/replay-view.ts';
import { inspectTape, type InspectTapeDeps } from './inspect-tape.ts';
import { decodeUtf8, parseTapeHeader } from './parse-tape.ts';
import { createTapeMedia } from './tape-media.ts';
import { type Tape, tapeFiles, type TapeHeader } from './tape.ts';

export interface OpenTapeDeps extends InspectTapeDeps {
  readonly base64: Base64;
}

/** A tape whose media are read when they are asked for. */
export interface OpenTape extends Tape {
  /** The files that were asked for and are not there; others stand in their place. */
  readonly missing: () => readonly string[];
  readonly close: () => void;
}

/** Opens a tape as far as it is whole: its lines are read at once, its media when their frames are asked for. */
export async function openTape(folder: string, deps: OpenTapeDeps): Promise<Outcome<OpenTape>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const { header, lines, sounds, damage } = inspected.value;
  const media = createTapeMedia(folder, sounds, deps);
  return {
    ok: true,
    value: {
      header,
      lines: lines.map(({ line }) => line),
      cut: damage !== undefined,
      damage,
      frame: media.restore,
      missing: media.missing,
      close: () => {
        for (const sound of sounds.values()) sound.close();
      },
    },
  };
}

/** A tape from wherever it was, to be played. */
export interface LoadedTape {
  readonly tape: OpenTape;
  /** Where its files are, which may have been unpacked for it. */
  readonly folder: string;
  /** Where it was found: its folder, or the file that holds all of it. */
  readonly path: string;
  /** Gives back what was opened and unpacked for it. */
  readonly leave: () => Promise<void>;
}

/** Opens the tape that somebody pointed at, in whichever of its forms, as far as it is whole. */
export async function loadTapeAt(
  path: string,
  deps: OpenTapeDeps & TapePlaceDeps,
): Promise<Outcome<LoadedTape>> {
  const place = await findTapePlace(path, deps);
  if (!place.ok) return place;
  const { folder, called, leave } = place.value;
  const tape = await openTape(folder, { ...deps, called });
  if (!tape.ok) {
    await leave();
    return tape;
  }
  const close = async (): Promise<void> => {
    tape.value.close();
    await leave();
  };
  return { ok: true, value: { tape: tape.value, folder, path: called, leave: close } };
}

/** Makes a folder of a tape that is one file, for as long as it is wanted. */
export type UnpackTape = (
  path: string,
) => Promise<Outcome<{ readonly folder: string; readonly remove: () => Promise<void> }>>;

interface TapePlaceDeps {
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
async function findTapePlace(
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

interface Deps {
  readonly loadTapeAt: (path: string) => Promise<Outcome<LoadedTape>>;
  readonly folder: Pick<DataFolder, 'path' | 'names'>;
  readonly exampleAt: (name: ReplayExample) => string;
}

/** Where tapes are found: among those that are kept, among those that ship, and where a person points. */
export class TapeFinder {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Only what lies there: a name leads nowhere else. */
  async kept(name: string): Promise<Outcome<LoadedTape>> {
    const { folder } = this.#deps;
    const names = await folder.names();
    if (!names.ok) return names;
    return names.value.includes(name)
      ? this.atPath(`${folder.path}/${name}`)
      : failure('replayTapeGone');
  }

  /** Of one that lies among those that are kept. */
  nameOf(path: string): string | undefined {
    const before = `${this.#deps.folder.path}/`;
    const name = path.startsWith(before) ? path.slice(before.length) : '';
    return name === '' || name.includes('/') ? undefined : name;
  }

  example(name: ReplayExample): Promise<Outcome<LoadedTape>> {
    return this.atPath(this.#deps.exampleAt(name));
  }

  atPath(path: string): Promise<Outcome<LoadedTape>> {
    return this.#deps.loadTapeAt(path);
  }
}

/** Instructions are the longest of it. */
const maxBytes = 256 * 1024;

/** What a tape is of, without reading what is on it; nothing where that cannot be known. */
export function readTapeHeader(
  folder: string,
  files: Pick<Files, 'openToRead'>,
): TapeHeader | undefined {
  const bytes = readNow(files, `${folder}/${tapeFiles.lines}`, maxBytes);
  if (!bytes.ok) return undefined;
  const end = bytes.value.indexOf(newline);
  const text = end === -1 ? undefined : decodeUtf8(bytes.value.subarray(0, end));
  const header = text === undefined ? undefined : parseTapeHeader(text);
  return header?.ok === true ? header.value.header : undefined;
}

const newline = 10;
