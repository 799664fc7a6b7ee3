import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
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
