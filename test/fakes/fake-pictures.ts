import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import type { FrameSize } from '../../shared/vision/vision-frame.ts';

/** Pictures as the first bytes of a JPEG, then their size as JSON. */
export class FakePictures implements Pictures {
  static draw(facts: FrameSize): Uint8Array {
    const text = new TextEncoder().encode(JSON.stringify(facts));
    return new Uint8Array([0xff, 0xd8, 0xff, ...text]);
  }

  readonly measure: Pictures['measure'] = (file) => Promise.resolve(this.#read(file));

  readonly prepare: Pictures['prepare'] = (file, longestSide) => {
    const facts = this.#read(file);
    if (!facts.ok) return Promise.resolve(facts);
    const { width, height } = facts.value;
    const scale = Math.min(1, longestSide / Math.max(width, height));
    const fitting = { width: Math.round(width * scale), height: Math.round(height * scale) };
    return Promise.resolve({ ok: true, value: FakePictures.draw(fitting) });
  };

  #read(file: Uint8Array): Outcome<FrameSize> {
    if (file.length === 0) {
      return failure('emptyPicture');
    }
    if (file[0] !== 0xff || file[1] !== 0xd8 || file[2] !== 0xff) {
      return failure('notPicture');
    }
    try {
      const facts = JSON.parse(new TextDecoder().decode(file.subarray(3))) as FrameSize;
      const { width, height } = facts;
      if (width * height <= 50_000_000) return { ok: true, value: facts };
      return failure('pictureLarge', { width, height });
    } catch {
      return failure('pictureBroken');
    }
  }
}

/** Measures every picture alike, or fails at every one. */
export function fakePictures(found: Outcome<FrameSize> = redSquare): Pictures {
  return {
    measure: () => Promise.resolve(found),
    prepare: (file) => Promise.resolve({ ok: true, value: file }),
  };
}

const redSquare: Outcome<FrameSize> = {
  ok: true,
  value: { width: 64, height: 48 },
};

export const fakeJpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
