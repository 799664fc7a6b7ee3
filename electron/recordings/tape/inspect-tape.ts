import {
  appError,
  type AppError,
  failure,
  type Failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import {
  type Files,
  fileSize,
  type ReadableFile,
  type StartDigest,
} from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import {
  decodeUtf8,
  parseTapeHeader,
  parseTapeLine,
  readLines,
  isTooDeep,
  referencesIn,
} from './parse-tape.ts';
import {
  openTapeSound,
  playedSoundNames,
  type TapeSound,
  type MediaReference,
  tapeFiles,
  type TapeHeader,
  tapeLimits,
  type TapeLine,
} from './tape.ts';
import { findChangedFiles } from './tape-checksums.ts';

/** The usable part of a tape. The caller must close it. */
export interface InspectedTape {
  readonly header: TapeHeader;
  readonly lines: readonly IndexedLine[];
  readonly rows: number;
  readonly sounds: ReadonlyMap<string, TapeSound>;
  /** Why the usable part ends before the talk did; undefined if it does not. */
  readonly damage: AppError | undefined;
  /** Closes the sounds. */
  readonly close: () => void;
}

export interface InspectTapeDeps {
  readonly files: Pick<Files, 'openToRead'>;
  /** The path the user gave, if it is not the folder. */
  readonly displayPath?: string | undefined;
}

/** Reads a tape of any origin and condition. Errors name it by `displayPath`. */
export async function inspectTape(
  folder: string,
  { files, displayPath = folder }: InspectTapeDeps,
): Promise<Outcome<InspectedTape>> {
  const file = files.openToRead(`${folder}/${tapeFiles.lines}`);
  if (!file.ok) {
    // The error of an unpacked tape would name a folder that is already deleted.
    const cause = displayPath === folder ? whyNotTape(folder, file.error, files) : undefined;
    return failure('notTape', { path: displayPath }, { cause });
  }
  const index = await indexTape(file.value);
  file.value.close();
  if (!index.ok) return unplayable(displayPath, index);
  const { header } = index.value;
  const sounds = openTapeSounds(folder, index.value.lines, files);
  if (!sounds.ok) return unplayable(displayPath, sounds);
  const { lines, rows, damage } = linesWithSound(displayPath, index.value, sounds.value);
  const reason = damage ?? (areAllConnectionsEnded(lines) ? undefined : unfinishedReason(lines));
  const close = (): void => closeSounds(sounds.value);
  return { ok: true, value: { header, lines, rows, sounds: sounds.value, damage: reason, close } };
}

/** An existing folder without a line file is just no tape: the file's name tells users nothing. */
function whyNotTape(
  folder: string,
  error: AppError,
  files: InspectTapeDeps['files'],
): AppError | undefined {
  if (error.code !== 'fileGone') return error;
  const opened = files.openToRead(folder);
  if (opened.ok) opened.value.close();
  return opened.ok || opened.error.code === 'isFolder' ? undefined : opened.error;
}

function unplayable(path: string, { error: cause }: Failure): Failure {
  return failure('tapeUnplayable', { path }, { cause });
}

/** Why a tape with open connections ends early. If its last line is a `cut` event, it was cut from a longer tape; otherwise its recorder was killed. */
function unfinishedReason(lines: readonly IndexedLine[]): AppError {
  const last = lines.at(-1)?.line;
  const isClip = last?.dir === 'event' && last.event['kind'] === 'cut';
  return appError(isClip ? 'tapeIsStretch' : 'tapeUnfinished');
}

/** Whether every connection ended, which shows that the recorder was not killed. */
function areAllConnectionsEnded(lines: readonly IndexedLine[]): boolean {
  const open = new Set<number>();
  for (const { line } of lines) {
    const { dir, connection = 1 } = line;
    if (dir === 'end') open.delete(connection);
    // Events open no connection.
    else if (dir !== 'event') open.add(connection);
  }
  return lines.length > 0 && open.size === 0;
}

const kindsAfterTalk = new Set<unknown>(['controls', 'interrupt', 'networkBack', 'sleep', 'wake']);

/**
 * The lines until the end of the talk. A tape stays open afterwards, because the talk can continue; if it does not, events
 * of that time, such as the computer's sleep, do not make the talk longer.
 */
export function linesOfTalk({
  lines,
  damage,
}: Pick<InspectedTape, 'lines' | 'damage'>): readonly IndexedLine[] {
  if (damage !== undefined) return lines;
  const last = lines.findLastIndex(
    ({ line }) => line.dir !== 'event' || !kindsAfterTalk.has(line.event['kind']),
  );
  return lines.slice(0, last + 1);
}

interface TapeIndex {
  readonly header: TapeHeader;
  readonly lines: readonly IndexedLine[];
  /** The number of complete rows in the file, including the header and rows of unknown kinds. */
  readonly rows: number;
  /** Why the lines end before the file does. */
  readonly damage: AppError | undefined;
}

interface IndexedLine {
  readonly line: TapeLine;
  readonly row: number;
  readonly references: readonly MediaReference[];
}

/** Reads lines up to the first damaged one; fails if the header or a media reference is invalid. */
async function indexTape(file: ReadableFile): Promise<Outcome<TapeIndex>> {
  const indexer = new TapeIndexer();
  const read = await readLines(file, (line, ended) => indexer.addRow(line, ended));
  return indexer.result(read.ok ? undefined : read.error);
}

class TapeIndexer {
  readonly #lines: IndexedLine[] = [];
  #header: ReturnType<typeof parseTapeHeader> = failure('tapeOfOthers');
  #refused: Failure | undefined;
  #damage: AppError | undefined;
  #row = 0;
  #bytes = 0;
  #latestAt = 0;

  addRow(bytes: Uint8Array, ended: boolean): boolean {
    this.#row += 1;
    this.#bytes += bytes.length;
    const tooLong = bytes.length > tapeLimits.lineBytes || this.#bytes > tapeLimits.linesBytes;
    if (tooLong || this.#lines.length >= tapeLimits.lines) {
      this.#damage = appError('tapeTooLong', { line: this.#row });
      return false;
    }
    const text = decodeUtf8(bytes);
    if (this.#row > 1) return this.#takeLine(text, ended);
    this.#header = parseTapeHeader(text ?? '');
    return this.#header.ok;
  }

  result(unread: AppError | undefined): Outcome<TapeIndex> {
    if (!this.#header.ok) return this.#header;
    if (this.#refused !== undefined) return this.#refused;
    const header = this.#header.value;
    const damage = unread ?? this.#damage;
    const rows = this.#damage === undefined ? this.#row : this.#row - 1;
    return { ok: true, value: { header, lines: this.#lines, rows, damage } };
  }

  #takeLine(text: string | undefined, ended: boolean): boolean {
    if (text === undefined || !this.#header.ok) return this.#stopAtDamage(ended);
    const line = parseTapeLine(text);
    if (line === 'unknown') return true;
    if (line === undefined || !isPlayable(line)) return this.#stopAtDamage(ended);
    const references = 'frame' in line ? referencesIn(line.frame) : noReferences;
    if (!references.ok) {
      this.#refused = references;
      return false;
    }
    this.#latestAt = Math.max(this.#latestAt, line.at);
    const inOrder = { ...line, at: this.#latestAt };
    this.#lines.push({ line: inOrder, row: this.#row, references: references.value });
    return true;
  }

  /** Stops reading. If the last line has no line break, the recorder was killed while writing it. */
  #stopAtDamage(ended: boolean): false {
    this.#damage = ended
      ? appError('tapeLineDamaged', { line: this.#row })
      : appError('tapeUnfinished');
    return false;
  }
}

const noReferences = { ok: true, value: [] } as const;

/** Rejects lines that no recorder writes, and those with which a replay would hang. */
function isPlayable(line: TapeLine): boolean {
  const { at, connection = 1 } = line;
  if (!(at <= tapeLimits.duration)) return false;
  if (!Number.isInteger(connection) || connection < 1) return false;
  if (connection > tapeLimits.connections) return false;
  if ('frame' in line) return !isTooDeep(line.frame);
  if (line.dir === 'event') return !isTooDeep(line.event);
  return line.dir !== 'end' || !isTooDeep(line.end);
}

function openTapeSounds(
  folder: string,
  lines: readonly IndexedLine[],
  files: Pick<Files, 'openToRead'>,
): Outcome<ReadonlyMap<string, TapeSound>> {
  const sounds = new Map<string, TapeSound>();
  for (const name of soundNames(lines)) {
    const sound =
      sounds.size < tapeLimits.soundFiles
        ? openTapeSound(`${folder}/${name}`, name, files)
        : failure('tapeReferenceBroken');
    if (!sound.ok) {
      closeSounds(sounds);
      return sound;
    }
    sounds.set(name, sound.value);
  }
  return { ok: true, value: sounds };
}

function closeSounds(sounds: ReadonlyMap<string, TapeSound>): void {
  for (const sound of sounds.values()) sound.close();
}

function soundNames(lines: readonly IndexedLine[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { references } of lines) {
    for (const reference of references) if ('$sound' in reference) names.add(reference.$sound);
  }
  return names;
}

interface WholeLines {
  readonly rows: number;
  readonly lines: readonly IndexedLine[];
  readonly damage: AppError | undefined;
}

/** The lines before the first with missing or excessive sound. */
function linesWithSound(
  displayPath: string,
  { lines, rows, damage: before }: TapeIndex,
  sounds: ReadonlyMap<string, TapeSound>,
): WholeLines {
  let total = 0;
  for (const [index, { references, row }] of lines.entries()) {
    let lineSamples = 0;
    for (const reference of references) {
      if (!('$sound' in reference)) continue;
      const { $sound: name, from, samples } = reference;
      lineSamples += samples;
      if (from + samples > (sounds.get(name)?.samples ?? 0)) {
        const damage = appError('tapeSoundShort', { path: `${displayPath}/${name}` });
        return { rows: row - 1, lines: lines.slice(0, index), damage };
      }
    }
    total += lineSamples * 4;
    if (lineSamples * 4 > tapeLimits.frameBytes || total > tapeLimits.soundBytes) {
      const damage = appError('tapeTooLong', { line: row });
      return { rows: row - 1, lines: lines.slice(0, index), damage };
    }
  }
  return { rows, lines, damage: before };
}

export interface TapeHealth {
  readonly header: TapeHeader;
  /** `early` is usable, but ends before the talk did. `changed` is usable, but differs from what was recorded. */
  readonly state: 'whole' | 'early' | 'changed' | 'damaged';
  readonly seconds: number;
  readonly lines: number;
  readonly connections: number;
  readonly gaps: number;
  readonly missing: readonly string[];
  readonly damage: AppError | undefined;
  /** Files that differ from their checksums; undefined without checksums. */
  readonly changed: readonly string[] | undefined;
}

interface CheckTapeDeps extends InspectTapeDeps {
  /** Without it checksums are not verified. */
  readonly digest?: StartDigest | undefined;
}

/** Checks whether a tape is complete, unchanged and usable. */
export async function checkTape(folder: string, deps: CheckTapeDeps): Promise<Outcome<TapeHealth>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const { header, lines, damage, close } = inspected.value;
  close();
  const missing = listTapeMedia(inspected.value).filter(
    (name) => (fileSize(deps.files, `${folder}/${name}`) ?? 0) === 0,
  );
  const { files, digest } = deps;
  const changed = digest && (await findChangedFiles(folder, { files, digest }));
  const isAsRecorded = changed === undefined || changed.length === 0;
  const completeness = damage === undefined ? 'whole' : 'early';
  const endsEarly = damage?.code === 'tapeUnfinished' || damage?.code === 'tapeIsStretch';
  const isBroken = missing.length > 0 || (completeness === 'early' && !endsEarly);
  return {
    ok: true,
    value: {
      header,
      state: isBroken ? 'damaged' : isAsRecorded ? completeness : 'changed',
      seconds: Math.round(linesOfTalk(inspected.value).at(-1)?.line.at ?? 0) / 1000,
      lines: lines.length,
      connections: new Set(lines.map(({ line }) => line.connection ?? 1)).size,
      gaps: lines.filter(({ line }) => line.dir === 'event' && line.event['kind'] === 'gap').length,
      missing,
      damage,
      changed,
    },
  };
}

export interface CopyTapeDeps {
  readonly files: Files;
  readonly base64: Base64;
  /** The path the user gave, if it is not the folder. */
  readonly displayPath?: string | undefined;
}

/** Writes a changed copy of a tape to a new or empty folder, and checks it. */
export async function copyTape(
  folder: string,
  into: string,
  { files, displayPath, digest }: CopyTapeDeps & Pick<CheckTapeDeps, 'digest'>,
  write: (tape: InspectedTape) => Promise<Outcome<undefined>>,
): Promise<Outcome<TapeHealth>> {
  const inspected = await inspectTape(folder, { files, displayPath });
  if (!inspected.ok) return inspected;
  const written = await write(inspected.value);
  inspected.value.close();
  return written.ok ? checkTape(into, { files, digest }) : written;
}

export function listTapeMedia({ lines }: Pick<InspectedTape, 'lines'>): readonly string[] {
  const names = new Set<string>();
  for (const { references } of lines) {
    for (const reference of references) if ('$file' in reference) names.add(reference.$file);
  }
  return [...names];
}

/** Existing files that a replay of the tape needs. Leaves out the stereo file, the checksums and files that Parley did not write. */
export async function tapeFileNames(
  folder: string,
  deps: InspectTapeDeps,
): Promise<Outcome<readonly string[]>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  inspected.value.close();
  const names = new Set([
    tapeFiles.lines,
    ...playedSoundNames,
    ...inspected.value.sounds.keys(),
    ...listTapeMedia(inspected.value),
  ]);
  const existing = [...names].filter(
    (name) => fileSize(deps.files, `${folder}/${name}`) !== undefined,
  );
  return { ok: true, value: existing };
}
