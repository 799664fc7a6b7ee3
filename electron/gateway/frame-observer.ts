import type { PictureFacts, Pictures } from '../ports/pictures.ts';
import { describePicture } from './received-picture.ts';

/** Looks at one picture while the person speaks, so that something can be said about it then. */
export interface FrameObserver {
  /** Whether there was any picture since the last turn. */
  readonly hasFrame: boolean;
  /** What was found out about it so far. */
  readonly remark: string | undefined;
  readonly observe: (frame: Uint8Array, worthALook: boolean) => void;
  readonly reset: () => void;
}

export function openFrameObserver(pictures: Pictures): FrameObserver {
  let observing = false;
  let looking = false;
  let facts: PictureFacts | undefined;
  let turn = 0;

  async function look(frame: Uint8Array): Promise<void> {
    const lookedIn = turn;
    looking = true;
    try {
      const found = await pictures.probe(frame);
      if (found.ok && turn === lookedIn) facts = found.value;
    } catch {
      // About a picture that could not be looked at nothing is said.
    } finally {
      looking = false;
    }
  }

  return {
    get hasFrame() {
      return observing;
    },
    get remark() {
      return facts === undefined ? undefined : `(It is ${describePicture(facts)}.)`;
    },
    observe: (frame, worthALook) => {
      observing = true;
      if (worthALook && !looking && facts === undefined) void look(frame);
    },
    reset: () => {
      turn += 1;
      observing = false;
      facts = undefined;
    },
  };
}
