import type { Base64 } from '../../../shared/protocol/base64.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { inspectTape } from './inspect-tape.ts';
import type { InspectTapeDeps } from './inspect-tape.ts';
import { createTapeMedia } from './tape-media.ts';
import type { Tape } from './tape.ts';

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
