import { failure, type Outcome, type AppError } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import {
  type DataFolder,
  type Files,
  readNow,
  type StartDigest,
} from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import type { ReplayExample } from '../../../shared/recordings/replay-view.ts';
import type { TapedTalkFacts } from '../history/talk-source.ts';
import { RecentTalkBuffer } from '../record/recent-talk-buffer.ts';
import { openResilientRecorder } from '../record/resilient-recorder.ts';
import type { TapeUpsampler } from '../record/stereo-recorder.ts';
import type { BufferedTape } from '../record/talk-tapes.ts';
import type { TapeRecorder } from '../record/tape-recorder.ts';
import { inspectTape, type InspectTapeDeps, linesOfTalk } from './inspect-tape.ts';
import { decodeUtf8, newline, parseTapeHeader, createTapeMedia } from './parse-tape.ts';
import { type Tape, tapeFiles, type TapeHeader, type TapeFacts } from './tape.ts';

export interface OpenTapeDeps extends InspectTapeDeps {
  readonly base64: Base64;
}

/** A tape whose media are read on demand. */
export interface OpenTape extends Tape {
  /** Requested files that do not exist; placeholders replace them. */
  readonly missing: () => readonly string[];
  readonly close: () => void;
}

/** Opens the usable part of a tape. Media are read when their frames are restored. */
export async function openTape(folder: string, deps: OpenTapeDeps): Promise<Outcome<OpenTape>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const { header, sounds, damage, close } = inspected.value;
  const media = createTapeMedia(folder, sounds, deps);
  return {
    ok: true,
    value: {
      header,
      lines: linesOfTalk(inspected.value).map(({ line }) => line),
      cut: damage !== undefined,
      damage,
      frame: media.restore,
      missing: media.missing,
      close,
    },
  };
}

/** A tape opened from any path. */
export interface LoadedTape {
  readonly tape: OpenTape;
  /** Folder of its files, possibly a temporary one. */
  readonly folder: string;
  /** Where it was found: its folder or archive. */
  readonly path: string;
  /** Closes the tape and deletes temporary files. */
  readonly release: () => Promise<void>;
}

/** Opens the usable part of the tape at a path, in any of its forms. */
export async function loadTapeAt(
  path: string,
  deps: OpenTapeDeps & TapeLocationDeps,
): Promise<Outcome<LoadedTape>> {
  const location = await locateTape(path, deps);
  if (!location.ok) return location;
  const { folder, displayPath, release } = location.value;
  const tape = await openTape(folder, { ...deps, displayPath });
  if (!tape.ok) {
    await release();
    return tape;
  }
  const close = async (): Promise<void> => {
    tape.value.close();
    await release();
  };
  return { ok: true, value: { tape: tape.value, folder, path: displayPath, release: close } };
}

/** Unpacks a `.parleytape` file to a temporary folder. */
export type UnpackTape = (
  path: string,
) => Promise<Outcome<{ readonly folder: string; readonly remove: () => Promise<void> }>>;

interface TapeLocationDeps {
  readonly files: Pick<Files, 'openToRead'>;
  readonly unpack: UnpackTape;
}

interface TapeLocation {
  readonly folder: string;
  readonly displayPath: string;
  readonly release: () => Promise<void>;
}

/** Finds the tape at a path: a folder, its line file, or an archive. */
async function locateTape(
  path: string,
  { files, unpack }: TapeLocationDeps,
): Promise<Outcome<TapeLocation>> {
  const displayPath = normalizeTapePath(path);
  if (!isArchive(displayPath, files))
    return {
      ok: true,
      value: { folder: displayPath, displayPath, release: () => Promise.resolve() },
    };
  const unpacked = await unpack(displayPath);
  if (!unpacked.ok) return unpacked;
  const { folder, remove } = unpacked.value;
  return { ok: true, value: { folder, displayPath, release: remove } };
}

/** Runs `work` on the files of the tape at a path. */
export async function withTapeFolder<Value>(
  path: string,
  deps: TapeLocationDeps,
  work: (folder: string, displayPath: string) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const location = await locateTape(path, deps);
  if (!location.ok) return location;
  const { folder, displayPath, release } = location.value;
  try {
    return await work(folder, displayPath);
  } finally {
    await release();
  }
}

/** The tape's folder if the path names its line file; otherwise the path without a slash at its end. */
export function normalizeTapePath(path: string): string {
  const plain = path.replace(/(?<=.)[/\\]+$/u, '');
  if (plain === tapeFiles.lines) return '.';
  return plain.replace(/[/\\]tape\.ndjson$/u, '');
}

/** The path without the archive's ending, for files beside the tape. */
export function tapeStem(path: string): string {
  return normalizeTapePath(path).replace(archiveName, '');
}

export function lastPathPart(path: string): string {
  return path.split(/[/\\]/u).findLast((part) => part !== '') ?? path;
}

const archiveName = /\.parleytape$/iu;

/** Whether the path is a file rather than a folder. The name does not matter, because mail programs rename attachments. A missing file is judged by its name. */
function isArchive(path: string, files: TapeLocationDeps['files']): boolean {
  const opened = files.openToRead(path);
  if (opened.ok) opened.value.close();
  return opened.ok || (archiveName.test(path) && opened.error.code !== 'isFolder');
}

interface TapeFinderDeps {
  readonly loadTapeAt: (path: string) => Promise<Outcome<LoadedTape>>;
  readonly folder: Pick<DataFolder, 'path' | 'names'>;
  readonly exampleAt: (name: ReplayExample) => string;
}

/** Finds stored tapes, bundled examples, and tapes at any path. */
export class TapeFinder {
  readonly #deps: TapeFinderDeps;

  constructor(deps: TapeFinderDeps) {
    this.#deps = deps;
  }

  /** Opens a stored tape. The name must be in the tapes folder, so that it cannot lead elsewhere. */
  async openStored(name: string): Promise<Outcome<LoadedTape>> {
    const { folder } = this.#deps;
    const names = await folder.names();
    if (!names.ok) return names;
    return names.value.includes(name)
      ? this.openAt(`${folder.path}/${name}`)
      : failure('replayTapeGone');
  }

  storedName(path: string): string | undefined {
    const before = `${this.#deps.folder.path}/`;
    const name = path.startsWith(before) ? path.slice(before.length) : '';
    return name === '' || name.includes('/') ? undefined : name;
  }

  openExample(name: ReplayExample): Promise<Outcome<LoadedTape>> {
    return this.openAt(this.#deps.exampleAt(name));
  }

  openAt(path: string): Promise<Outcome<LoadedTape>> {
    return this.#deps.loadTapeAt(path);
  }
}

/** In bytes, enough for a header with the longest instructions. */
const maxBytes = 256 * 1024;

/** Reads only the header; undefined if that fails. */
export function readTapeHeader(
  folder: string,
  files: Pick<Files, 'openToRead'>,
): TapeHeader | undefined {
  const bytes = readNow(files, `${folder}/${tapeFiles.lines}`, maxBytes);
  if (!bytes.ok) return undefined;
  const end = bytes.value.indexOf(newline);
  const text = end === -1 ? undefined : decodeUtf8(bytes.value.subarray(0, end));
  const header = text === undefined ? undefined : parseTapeHeader(text);
  return header?.ok === true ? header.value : undefined;
}

interface TapeArchiveDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly base64: Base64;
  readonly digest: StartDigest;
  readonly unpack: UnpackTape;
  /** Creates a resampler from the microphone's rate to the output rate. */
  readonly upsampler: () => TapeUpsampler;
  /** Wall clock, in milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Formats and parses a tape's date; NaN if it cannot be parsed. */
  readonly writeTime: (ms: number) => string;
  readonly parseTime: (date: string) => number;
}

/** Creates, buffers and opens tapes with the adapters of this machine. */
export class TapeArchive {
  readonly #deps: TapeArchiveDeps;

  constructor(deps: TapeArchiveDeps) {
    this.#deps = deps;
  }

  /** Creates a tape in a new or empty folder; `onError` reports write errors. */
  readonly openTape = (
    folder: string,
    facts: TapeFacts,
    onError: (error: AppError) => void,
  ): Promise<Outcome<TapeRecorder>> =>
    openResilientRecorder(folder, this.#createHeader(facts, 0), { ...this.#deps, onError });

  /** Buffers the last two minutes, to save them as a tape later. */
  readonly holdRecent = (facts: TapeFacts): BufferedTape => {
    const recent = new RecentTalkBuffer(this.#deps.clock);
    return {
      recorder: recent,
      writeTo: (folder) =>
        recent.writeTo(folder, this.#createHeader(facts, recent.milliseconds), {
          ...this.#deps,
          // Ignored here, because `writeTo` returns the first error.
          onError: () => undefined,
        }),
    };
  };

  /** Opens the usable part of a tape: its folder, its line file, or an archive. */
  readonly loadTapeAt = (path: string): Promise<Outcome<LoadedTape>> =>
    loadTapeAt(path, this.#deps);

  readonly readHeader = (folder: string): TapeHeader | undefined =>
    readTapeHeader(folder, this.#deps.files);

  /** Whether the user saved this tape from the buffer. */
  readonly isSaved = (folder: string): boolean => this.readHeader(folder)?.saved === true;

  /** Reads the facts of a taped talk for the history, without rendering the tape. */
  readonly readFacts = async (folder: string): Promise<Outcome<TapedTalkFacts>> => {
    const inspected = await inspectTape(folder, this.#deps);
    if (!inspected.ok) return inspected;
    const { header, damage, close } = inspected.value;
    close();
    const { mode, endpoint, recordedAt } = header;
    if (mode === 'chat') return failure('replayOfChat');
    const at = this.#deps.parseTime(recordedAt);
    return {
      ok: true,
      value: {
        mode,
        endpoint,
        recordedAt: Number.isNaN(at) || at < 0 ? undefined : at,
        seconds: (linesOfTalk(inspected.value).at(-1)?.line.at ?? 0) / 1000,
        cut: damage !== undefined,
      },
    };
  };

  /** Header of a tape that began `ago` milliseconds before now. */
  #createHeader(facts: TapeFacts, ago: number): TapeHeader {
    const { wallNow, writeTime } = this.#deps;
    const recordedAt = writeTime(wallNow() - ago);
    return { format: 'parley-tape', version: 1, ...facts, recordedAt };
  }
}
