import type { Outcome, PictureFacts, Pictures } from '../../electron/ports.ts';

/** Sees the same in every picture, or fails at every one. */
export function fakePictures(found: Outcome<PictureFacts> = redSquare): Pictures {
  return {
    look: () => Promise.resolve(found),
    prepare: (file) => Promise.resolve({ ok: true, value: file }),
  };
}

const redSquare: Outcome<PictureFacts> = {
  ok: true,
  value: { width: 64, height: 48, colours: ['red', 'white'] },
};

export const fakeJpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
