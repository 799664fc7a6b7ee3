import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Files, type FileWriter, readNow, writeFile } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import { checkTape, listTapeMedia, type TapeHealth } from '../tape/check-tape.ts';
import { type InspectedTape, inspectTape } from '../tape/inspect-tape.ts';
import { readLines } from '../tape/parse-tape.ts';
import { copySound } from '../tape/sound-writer.ts';
import { missingPicture } from '../tape/tape-media.ts';
import type { TapeSound } from '../tape/tape-sound.ts';
import { tapeFiles, tapeLimits } from '../tape/tape.ts';

interface Deps {
  readonly files: Files;
  readonly base64: Base64;
  /** The path the user gave, if it is not the folder. */
  readonly displayPath?: string | undefined;
}

type Done = Outcome<undefined>;
type Fill = (file: FileWriter) => Promise<Done>;

/**
 * Copies the usable part of a damaged tape: rows up to the damage, sounds with correct headers, and
 * placeholders for missing media.
 */
export async function repairTape(
  folder: string,
  into: string,
  deps: Deps,
): Promise<Outcome<TapeHealth>> {
  const health = await checkTape(folder, deps);
  if (!health.ok) return health;
  if (health.value.state === 'whole')
    return failure('tapeNothingToMend', { path: deps.displayPath ?? folder });
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const { sounds } = inspected.value;
  const copied = await copyTape(folder, into, inspected.value, deps);
  for (const sound of sounds.values()) sound.close();
  return copied.ok ? checkTape(into, { files: deps.files }) : copied;
}

async function copyTape(
  folder: string,
  into: string,
  tape: InspectedTape,
  deps: Deps,
): Promise<Done> {
  const made = await deps.files.createFolder(into);
  if (!made.ok) return made;
  const parts: readonly (readonly [string, Fill])[] = [
    ...[...tape.sounds].map(
      ([name, sound]) => [name, soundFill(`${folder}/${name}`, sound, deps)] as const,
    ),
    ...listTapeMedia(tape).map((name) => [name, fileFill(folder, name, deps)] as const),
    // Written after the media, because a folder with it counts as a tape.
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
function soundFill(path: string, sound: TapeSound, { files }: Deps): Fill {
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

function fileFill(folder: string, name: string, { files, base64 }: Deps): Fill {
  return (file) => {
    const bytes = readNow(files, `${folder}/${name}`, tapeLimits.frameBytes);
    const known = bytes.ok && bytes.value.length > 0 ? bytes.value : undefined;
    file.append(known ?? replacementFor(name, base64));
    return Promise.resolve(done);
  };
}

/** A grey picture, or one silent sample. */
function replacementFor(name: string, base64: Base64): Uint8Array {
  const picture = name.startsWith('frame-') ? base64.decode(missingPicture) : undefined;
  return picture ?? new Uint8Array(4);
}

function rowsFill(folder: string, rows: number, { files }: Deps): Fill {
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
