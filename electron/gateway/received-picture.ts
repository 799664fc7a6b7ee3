import type { Pictures } from '../../shared/ports/pictures.ts';
import type { FrameSize } from '../../shared/vision/vision-frame.ts';

const signatures: readonly { readonly kind: 'jpeg' | 'png'; readonly bytes: readonly number[] }[] =
  [
    { kind: 'jpeg', bytes: [0xff, 0xd8, 0xff] },
    { kind: 'png', bytes: [0x89, 0x50, 0x4e, 0x47] },
  ];

/** What a file claims to be by its first bytes. */
export function pictureKind(file: Uint8Array): 'jpeg' | 'png' | undefined {
  return signatures.find(({ bytes }) => bytes.every((byte, at) => file[at] === byte))?.kind;
}

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
  let facts: FrameSize | undefined;
  let turn = 0;

  async function look(frame: Uint8Array): Promise<void> {
    const lookedIn = turn;
    looking = true;
    try {
      const found = await pictures.measure(frame);
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
      return facts && `(It is ${facts.width} by ${facts.height} pixels.)`;
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
