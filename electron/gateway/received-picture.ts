import type { Pictures } from '../../shared/ports/pictures.ts';
import type { FrameSize } from '../../shared/vision/vision-frame.ts';

const signatures: readonly { readonly kind: 'jpeg' | 'png'; readonly bytes: readonly number[] }[] =
  [
    { kind: 'jpeg', bytes: [0xff, 0xd8, 0xff] },
    { kind: 'png', bytes: [0x89, 0x50, 0x4e, 0x47] },
  ];

/** Detects the format by the file's first bytes. */
export function pictureKind(file: Uint8Array): 'jpeg' | 'png' | undefined {
  return signatures.find(({ bytes }) => bytes.every((byte, at) => file[at] === byte))?.kind;
}

/** Measures one picture while the user speaks, so that the answer can mention it. */
export interface FrameObserver {
  /** Whether a picture came since the last turn. */
  readonly hasFrame: boolean;
  /** A sentence with the picture's size, once it was measured. */
  readonly sizeNote: string | undefined;
  readonly observe: (frame: Uint8Array, shouldMeasure: boolean) => void;
  readonly reset: () => void;
}

export function openFrameObserver(pictures: Pictures): FrameObserver {
  let hasFrame = false;
  let isMeasuring = false;
  let size: FrameSize | undefined;
  let turn = 0;

  async function measureFrame(frame: Uint8Array): Promise<void> {
    const measuredTurn = turn;
    isMeasuring = true;
    try {
      const found = await pictures.measure(frame);
      if (found.ok && turn === measuredTurn) size = found.value;
    } catch {
      // The answer does not mention a picture that cannot be measured.
    } finally {
      isMeasuring = false;
    }
  }

  return {
    get hasFrame() {
      return hasFrame;
    },
    get sizeNote() {
      return size && `(It is ${size.width} by ${size.height} pixels.)`;
    },
    observe: (frame, worthALook) => {
      hasFrame = true;
      if (worthALook && !isMeasuring && size === undefined) void measureFrame(frame);
    },
    reset: () => {
      turn += 1;
      hasFrame = false;
      size = undefined;
    },
  };
}
