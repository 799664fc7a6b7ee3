import { appError, failure } from '../../shared/errors/app-error.ts';
import type { Failure } from '../../shared/errors/app-error.ts';
import type { Base64 } from '../../shared/protocol/base64.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { FormatStep } from './tape-format.ts';
import { indexTape } from './tape-index.ts';
import { createTapeMedia } from './tape-media.ts';
import { openTapeSounds, untilSoundShort } from './tape-sounds.ts';
import { tapeFiles } from './tape.ts';
import type { Tape, TapeLine } from './tape.ts';

export interface OpenTapeDeps {
  readonly files: Pick<Files, 'openToRead'>;
  readonly base64: Base64;
  /** What makes older tapes ours. */
  readonly steps?: Readonly<Record<number, FormatStep>> | undefined;
}

/** A tape whose media are read when they are asked for. */
export interface OpenTape extends Tape {
  /** The files that were asked for and are not there; others stand in their place. */
  readonly missing: () => readonly string[];
  readonly close: () => void;
}

/**
 * Opens a tape as far as it is whole, whoever made it and whatever became of it since; errors have the folder among their
 * facts. Its lines are read at once, its media when their frames are asked for.
 */
export async function openTape(
  folder: string,
  { files, base64, steps }: OpenTapeDeps,
): Promise<Outcome<OpenTape>> {
  const file = files.openToRead(`${folder}/${tapeFiles.lines}`);
  if (!file.ok) return failure('notTape', { path: folder }, { cause: file.error });
  const index = await indexTape(file.value, steps);
  file.value.close();
  if (!index.ok) return unplayable(folder, index);
  const sounds = openTapeSounds(folder, index.value.lines, files);
  if (!sounds.ok) return unplayable(folder, sounds);
  const whole = untilSoundShort(folder, index.value.lines, sounds.value);
  const lines = whole.lines.map(({ line }) => line);
  const damage = whole.damage ?? index.value.damage ?? (endsInOrder(lines) ? undefined : stopped);
  const media = createTapeMedia(folder, sounds.value, { files, base64 });
  return {
    ok: true,
    value: {
      header: index.value.header,
      lines,
      cut: damage !== undefined,
      damage,
      frame: media.restore,
      missing: media.missing,
      close: () => {
        for (const sound of sounds.value.values()) sound.close();
      },
    },
  };
}

const stopped = appError('tapeUnfinished');

function unplayable(path: string, { error: cause }: Failure): Failure {
  return failure('tapeUnplayable', { path }, { cause });
}

/** A recorder that lived to the end of every connection was not killed. */
function endsInOrder(lines: readonly TapeLine[]): boolean {
  const open = new Set<number>();
  for (const { dir, connection = 1 } of lines) {
    if (dir === 'end') open.delete(connection);
    // What happened beside the wire opens nothing.
    else if (dir !== 'event') open.add(connection);
  }
  return lines.length > 0 && open.size === 0;
}
