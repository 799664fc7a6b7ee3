import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import {
  type Files,
  fileSize,
  type FileWriter,
  readNow,
  type StartDigest,
  writeFile,
} from '../../../shared/ports/files.ts';
import type { Frames } from '../../../shared/ports/pictures.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { TapeComparison } from '../../../shared/recordings/tape-comparison.ts';
import {
  compareTalks,
  measureChat,
  type MeasuredTalk,
  measureTalk,
} from '../compare/compare-talks.ts';
import type { ExportOpener } from '../export/export-origins.ts';
import type { ExportTools } from '../export/export-tools.ts';
import { redactTape } from '../redact/redact-tape.ts';
import { renderTape, type TapeRendererDeps } from '../replay/tape-renderer.ts';
import {
  checkTape,
  copyTape,
  type CopyTapeDeps,
  type InspectedTape,
  listTapeMedia,
  tapeFileNames,
  type TapeHealth,
} from '../tape/inspect-tape.ts';
import { type OpenTape, type UnpackTape, withTapeFolder } from '../tape/tape-archive.ts';
import { tapeFiles, tapeLimits, copySound, type TapeSound } from '../tape/tape.ts';
import { cutTape, type TapeRange } from './cut-tape.ts';
import { isPictureFile, readLines, missingPicture } from '../tape/parse-tape.ts';

interface Deps {
  readonly files: Files;
  readonly frames: Frames;
  readonly base64: Base64;
  readonly digest: StartDigest;
  readonly unpack: UnpackTape;
  readonly tools: Pick<ExportTools, 'packZip' | 'openScratch'>;
  readonly exports: Pick<ExportOpener, 'openSource'>;
  readonly rendering: () => Promise<TapeRendererDeps>;
  readonly serverCodec: ServerCodec;
  readonly clientCodec: ClientCodec;
}

/** Implements the tape commands of the terminal. Results go to a new or empty folder, or to an archive. */
export class TapeTools {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  check(path: string): Promise<Outcome<TapeHealth>> {
    return withTapeFolder(path, this.#deps, (folder, displayPath) =>
      checkTape(folder, { ...this.#deps, displayPath }),
    );
  }

  repair(path: string, into: string): Promise<Outcome<TapeHealth>> {
    return this.#make(path, into, (folder, target, displayPath) =>
      repairTape(folder, target, { ...this.#deps, displayPath }),
    );
  }

  /** Copies a tape with masked words, noise for voices, blurred pictures and replaced names. */
  redact(path: string, into: string): Promise<Outcome<TapeHealth>> {
    return this.#make(path, into, (folder, target, displayPath) =>
      redactTape(folder, target, { ...this.#deps, displayPath }),
    );
  }

  async cut(path: string, into: string, range: TapeRange): Promise<Outcome<TapeHealth>> {
    const rendering = await this.#deps.rendering();
    return this.#make(path, into, (folder, target, displayPath) =>
      cutTape(folder, target, range, { ...this.#deps, rendering, displayPath }),
    );
  }

  async compare(path: string, other: string): Promise<Outcome<TapeComparison>> {
    const [first, second] = [await this.#measureAt(path), await this.#measureAt(other)];
    if (!first.ok) return first;
    if (!second.ok) return second;
    const [isChat, isOtherChat] = [first, second].map(
      ({ value }) => value.measures.mode === 'chat',
    );
    return isChat === isOtherChat
      ? { ok: true, value: compareTalks(first.value, second.value) }
      : failure('comparedKinds');
  }

  #make(
    path: string,
    into: string,
    make: (folder: string, target: string, displayPath: string) => Promise<Outcome<TapeHealth>>,
  ): Promise<Outcome<TapeHealth>> {
    return withTapeFolder(path, this.#deps, async (folder, displayPath) => {
      if (!/\.parleytape$/iu.test(into)) return make(folder, into, displayPath);
      const scratch = await this.#deps.tools.openScratch();
      if (!scratch.ok) return scratch;
      try {
        const made = await make(folder, scratch.value.path, displayPath);
        if (!made.ok) return made;
        const packed = await this.#pack(scratch.value.path, into);
        return packed.ok ? made : packed;
      } finally {
        await scratch.value.remove();
      }
    });
  }

  async #pack(folder: string, into: string): Promise<Outcome<undefined>> {
    const { files, tools } = this.#deps;
    const names = await tapeFileNames(folder, { files });
    if (!names.ok) return names;
    const { checksums } = tapeFiles;
    const hasChecksums = fileSize(files, `${folder}/${checksums}`) !== undefined;
    const all = hasChecksums ? [...names.value, checksums] : names.value;
    return tools.packZip(
      into,
      all.map((name) => ({ name, path: `${folder}/${name}` })),
    );
  }

  async #measureAt(path: string): Promise<Outcome<MeasuredTalk>> {
    const opened = await this.#deps.exports.openSource(path);
    if (!opened.ok) return opened;
    const { source, release } = opened.value;
    const tape = source.tape?.tape;
    const made = tape === undefined ? failure('notTape', { path }) : await this.#measure(tape);
    await release();
    return made;
  }

  async #measure(tape: OpenTape): Promise<Outcome<MeasuredTalk>> {
    const { serverCodec: ours, clientCodec: server, rendering } = this.#deps;
    if (tape.header.mode === 'chat')
      return { ok: true, value: measureChat(tape, { ours, server }) };
    const made = await renderTape(tape, await rendering());
    return made.ok ? { ok: true, value: measureTalk(made.value.rendered, tape.header) } : made;
  }
}

type Done = Outcome<undefined>;
type Fill = (file: FileWriter) => Promise<Done>;

/**
 * Copies the usable part of a damaged tape: rows up to the damage, WAV sounds with correct headers, and placeholders
 * for missing or unreadable media. Fails if the tape is whole.
 */
export async function repairTape(
  folder: string,
  into: string,
  deps: CopyTapeDeps,
): Promise<Outcome<TapeHealth>> {
  const health = await checkTape(folder, deps);
  if (!health.ok) return health;
  if (health.value.state === 'whole')
    return failure('tapeNothingToMend', { path: deps.displayPath ?? folder });
  return copyTape(folder, into, deps, (tape) => copyUsablePart(folder, into, tape, deps));
}

async function copyUsablePart(
  folder: string,
  into: string,
  tape: InspectedTape,
  deps: CopyTapeDeps,
): Promise<Done> {
  const made = await deps.files.createFolder(into);
  if (!made.ok) return made;
  const parts: readonly (readonly [string, Fill])[] = [
    ...[...tape.sounds].map(
      ([name, sound]) => [name, soundFill(`${folder}/${name}`, sound, deps)] as const,
    ),
    ...listTapeMedia(tape).map((name) => [name, fileFill(folder, name, deps)] as const),
    // Written after the media, because a folder with this file counts as a tape.
    [tapeFiles.lines, rowsFill(folder, tape.rows, deps)],
  ];
  for (const [name, fill] of parts) {
    const written = await writeFile(deps.files, `${into}/${name}`, fill);
    if (!written.ok) return written;
  }
  return done;
}

const bytesAtOnce = 4_000_000;

/** Copies FLAC unchanged: the decoder needs no correct header, and the rows name the file. */
function soundFill(path: string, sound: TapeSound, { files }: CopyTapeDeps): Fill {
  if (sound.coding !== 'flac') return (file) => copySound(sound, file);
  return async (file) => {
    const from = files.openToRead(path);
    if (!from.ok) return from;
    try {
      for (let at = 0; at < from.value.size; at += bytesAtOnce) {
        const read = from.value.readNow(at, bytesAtOnce);
        if (!read.ok) return read;
        file.append(read.value);
        const written = await file.resume();
        if (!written.ok) return written;
      }
      return done;
    } finally {
      from.value.close();
    }
  };
}

function fileFill(folder: string, name: string, { files, base64 }: CopyTapeDeps): Fill {
  return (file) => {
    const bytes = readNow(files, `${folder}/${name}`, tapeLimits.frameBytes);
    const known = bytes.ok && bytes.value.length > 0 ? bytes.value : undefined;
    file.append(known ?? replacementFor(name, base64));
    return Promise.resolve(done);
  };
}

/** A grey picture, or one silent sample. */
function replacementFor(name: string, base64: Base64): Uint8Array {
  const picture = isPictureFile(name) ? base64.decode(missingPicture) : undefined;
  return picture ?? new Uint8Array(4);
}

function rowsFill(folder: string, rows: number, { files }: CopyTapeDeps): Fill {
  return async (file) => {
    const from = files.openToRead(`${folder}/${tapeFiles.lines}`);
    if (!from.ok) return from;
    let row = 0;
    const read = await readLines(from.value, (line) => {
      row += 1;
      if (row > rows) return false;
      file.append(line);
      file.append('\n');
      return true;
    });
    from.value.close();
    return read;
  };
}
