import type { PictureFacts, Pictures } from '../ports/pictures.ts';
import { describePicture } from './describe-picture.ts';

/** Looks at one picture while the person speaks, so that something can be said about it then. */
export interface Glance {
  /** Whether there was any picture since the last turn. */
  readonly seeing: boolean;
  /** What was found out about it so far. */
  readonly remark: string | undefined;
  readonly see: (frame: Uint8Array, worthALook: boolean) => void;
  readonly forget: () => void;
}

export function openGlance(pictures: Pictures): Glance {
  let seeing = false;
  let looking = false;
  let facts: PictureFacts | undefined;
  let turn = 0;

  async function look(frame: Uint8Array): Promise<void> {
    const lookedIn = turn;
    looking = true;
    try {
      const found = await pictures.look(frame);
      if (found.ok && turn === lookedIn) facts = found.value;
    } catch {
      // About a picture that could not be looked at nothing is said.
    } finally {
      looking = false;
    }
  }

  return {
    get seeing() {
      return seeing;
    },
    get remark() {
      return facts === undefined ? undefined : `(It is ${describePicture(facts)}.)`;
    },
    see: (frame, worthALook) => {
      seeing = true;
      if (worthALook && !looking && facts === undefined) void look(frame);
    },
    forget: () => {
      turn += 1;
      seeing = false;
      facts = undefined;
    },
  };
}
