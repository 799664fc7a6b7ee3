import { signatureSide } from '../../shared/vision/vision-limits.ts';

/**
 * Puts pixels onto a canvas of the size that is wanted. They are halved as often as they can be, each time by averages, and what is left is
 * done as smoothly as the pen is set: in one step a smooth resize of the engine leaves pixels out, and flickers.
 * By less than half it looks at all of them, though stripes of one pixel beat there: to even those, too, took 9 ms more of 3.
 */
export async function putPixels(
  pen: OffscreenCanvasRenderingContext2D,
  pixels: ImageData,
): Promise<void> {
  const { width, height } = pen.canvas;
  if (pixels.width === width && pixels.height === height) {
    pen.putImageData(pixels, 0, 0);
    return;
  }
  const halvings = Math.floor(Math.log2(Math.min(pixels.width / width, pixels.height / height)));
  const between = await createImageBitmap(pixels, {
    resizeWidth: Math.max(width, Math.round(pixels.width / 2 ** halvings)),
    resizeHeight: Math.max(height, Math.round(pixels.height / 2 ** halvings)),
    resizeQuality: 'medium',
  });
  pen.drawImage(between, 0, 0, width, height);
  between.close();
}

/** Says in few grey values what a canvas shows. */
export class FrameSigner {
  readonly #pen = new OffscreenCanvas(signatureSide, signatureSide).getContext('2d', {
    alpha: false,
    willReadFrequently: true,
  });

  /** Nothing where the engine has no such canvas. */
  sign(canvas: OffscreenCanvas): Uint8Array | undefined {
    const pen = this.#pen;
    if (pen === null) return undefined;
    pen.imageSmoothingQuality = 'medium';
    pen.drawImage(canvas, 0, 0, signatureSide, signatureSide);
    const { data } = pen.getImageData(0, 0, signatureSide, signatureSide);
    const signature = new Uint8Array(signatureSide ** 2);
    for (let cell = 0; cell < signature.length; cell += 1) signature[cell] = grey(data, cell * 4);
    return signature;
  }
}

/** As bright as it looks. */
function grey(pixels: Uint8ClampedArray, at: number): number {
  const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
  return Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
}
