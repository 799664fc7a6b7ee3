import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Frames, Pictures, PreparedFrame } from '../../shared/ports/pictures.ts';
import type { FrameSize } from '../../shared/vision/vision-frame.ts';

/** Pictures as the first bytes of a JPEG, then their size as JSON. */
export class FakePictures implements Pictures {
  static draw(size: FrameSize): Uint8Array {
    const text = new TextEncoder().encode(JSON.stringify(size));
    return new Uint8Array([0xff, 0xd8, 0xff, ...text]);
  }

  readonly measure: Pictures['measure'] = (file) => Promise.resolve(this.#read(file));

  readonly prepare: Pictures['prepare'] = (file, maxSide) => {
    const size = this.#read(file);
    if (!size.ok) return Promise.resolve(size);
    const { width, height } = size.value;
    const scale = Math.min(1, maxSide / Math.max(width, height));
    const scaled = { width: Math.round(width * scale), height: Math.round(height * scale) };
    return Promise.resolve({ ok: true, value: FakePictures.draw(scaled) });
  };

  #read(file: Uint8Array): Outcome<FrameSize> {
    if (file.length === 0) {
      return failure('emptyPicture');
    }
    if (file[0] !== 0xff || file[1] !== 0xd8 || file[2] !== 0xff) {
      return failure('notPicture');
    }
    try {
      const size = JSON.parse(new TextDecoder().decode(file.subarray(3))) as FrameSize;
      const { width, height } = size;
      if (width * height <= 50_000_000) return { ok: true, value: size };
      return failure('pictureLarge', { width, height });
    } catch {
      return failure('pictureBroken');
    }
  }
}

/** Measures every file with the same result, and prepares a picture without changing it. */
export function fakePictures(result: Outcome<FrameSize> = smallSize): Pictures {
  return {
    measure: () => Promise.resolve(result),
    prepare: (file) => Promise.resolve({ ok: true, value: file }),
  };
}

const smallSize: Outcome<FrameSize> = {
  ok: true,
  value: { width: 64, height: 48 },
};

export const fakeJpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly grey: number;
}

const maxPixels = 40_000_000;

/** Frames as the first bytes of a JPEG, then their size and grey value as JSON. */
export class FakeFrames implements Frames {
  static draw(drawing: Drawing): Uint8Array {
    const text = new TextEncoder().encode(JSON.stringify(drawing));
    return new Uint8Array([0xff, 0xd8, 0xff, ...text]);
  }

  readonly prepared: Uint8Array[] = [];
  gate: Promise<void> = Promise.resolve();

  readonly prepare: Frames['prepare'] = async (file, plan) => {
    this.prepared.push(file);
    await this.gate;
    if (file[0] !== 0xff || file[1] !== 0xd8 || file[2] !== 0xff) {
      return failure('frameNotJpeg');
    }
    const drawing = read(file);
    if (drawing === undefined) {
      return failure('frameBroken');
    }
    const { width, height, grey } = drawing;
    if (width * height > maxPixels) {
      return failure('frameLarge', { width, height });
    }
    const planned = plan({ width, height });
    const value: PreparedFrame = {
      jpeg: FakeFrames.draw({ width: planned.width, height: planned.height, grey }),
      width: planned.width,
      height: planned.height,
      signature: new Uint8Array(256).fill(grey),
    };
    return { ok: true, value };
  };
}

function read(file: Uint8Array): Drawing | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(file.subarray(3))) as Drawing;
  } catch {
    return undefined;
  }
}
