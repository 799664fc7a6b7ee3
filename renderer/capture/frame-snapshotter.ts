import { maxSlicesPerFrame } from '../../shared/protocol/realtime-api.ts';
import {
  frameJpegQuality,
  type FrameSize,
  type OfferedFrame,
  signatureSide,
  usefulSize,
} from '../../shared/vision/vision-frame.ts';

/** What a picture is grabbed for. */
export type GrabPurpose =
  /** It goes to the model as it is, which sees it in so many slices. */
  | { readonly kind: 'ready'; readonly slices: number }
  /** It is worked on; no part will be cut out of it. */
  | { readonly kind: 'whole' }
  | { readonly kind: 'part' };

/** Takes pictures out of a stream, as JPEG files. */
export interface FrameSnapshotter {
  /** Nothing while there is no picture yet. */
  readonly grab: (purpose: GrabPurpose) => Promise<OfferedFrame | undefined>;
  readonly close: () => void;
}

/** As a screen shows it as a rule, so that it is not made smaller twice. */
const maxWholeSide = 1920;
/** Of a part it may see more; no screen is larger for its sharpness' sake. */
const maxCropSide = 3840;
/** It is encoded once more on the main side; this loses nothing that would be seen. */
const workedOnQuality = 0.92;

export function createFrameSnapshotter(stream: MediaStream): FrameSnapshotter {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = stream;
  // Rejects when the stream ends before it begins; then there is nothing to grab.
  video.play().catch(() => undefined);
  const canvas = new OffscreenCanvas(1, 1);
  const pen = canvas.getContext('2d', { alpha: false });
  const reader = new PixelReader();
  const signer = new FrameSigner();

  return {
    grab: async (purpose) => {
      const { videoWidth, videoHeight } = video;
      if (pen === null || videoWidth === 0 || videoHeight === 0) return undefined;
      // Its size is known before its first picture is; that would be black.
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
      const { width, height } = snapshotSize({ width: videoWidth, height: videoHeight }, purpose);
      // Setting it clears the canvas and takes new memory, so only when it has changed.
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      pen.imageSmoothingQuality = 'high';
      // What cannot be read can be drawn.
      const pixels = await reader.read(video).catch(() => undefined);
      if (pixels === undefined) pen.drawImage(video, 0, 0, width, height);
      else await putPixels(pen, pixels);
      const ready = purpose.kind === 'ready';
      const quality = ready ? frameJpegQuality / 100 : workedOnQuality;
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      const jpeg = new Uint8Array(await blob.arrayBuffer());
      return { jpeg, signature: ready ? signer.sign(canvas) : undefined };
    },
    close: () => {
      video.srcObject = null;
    },
  };
}

/** The picture's own size, as far as it is of use; never larger. */
export function snapshotSize(size: FrameSize, purpose: GrabPurpose): FrameSize {
  if (purpose.kind === 'ready') return usefulSize(size, purpose.slices);
  const side = purpose.kind === 'whole' ? maxWholeSide : maxCropSide;
  // A very wide screen has fewer pixels at that side than the model sees.
  const seen = usefulSize(size, maxSlicesPerFrame).width / size.width;
  const scale = Math.min(1, Math.max(seen, side / Math.max(size.width, size.height)));
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/**
 * Reads what a video shows as pixels of our own. A frame that is drawn onto a canvas instead stays
 * in the memory that the page shares with the compositor where no GPU draws: 1.2 MB for each picture of a
 * small camera, up to 450 MB, measured in Chromium 130 and 156.
 */
class PixelReader {
  /** Used again as long as the size stays; a picture of a large screen takes 33 MB. */
  #pixels: ImageData | undefined;

  /** Nothing where the engine cannot do it; then it has to be drawn. */
  async read(video: HTMLVideoElement): Promise<ImageData | undefined> {
    if (!('VideoFrame' in globalThis)) return undefined;
    const frame = new VideoFrame(video);
    try {
      const { width, height } = frame.visibleRect ?? { width: 0, height: 0 };
      // A turned or stretched picture is for those who draw.
      if (width !== video.videoWidth || height !== video.videoHeight) return undefined;
      const pixels = this.#pixelsOf(width, height);
      await frame.copyTo(pixels.data, { format: 'RGBA' });
      return pixels;
    } finally {
      frame.close();
    }
  }

  #pixelsOf(width: number, height: number): ImageData {
    const before = this.#pixels;
    if (before?.width === width && before.height === height) return before;
    this.#pixels = new ImageData(width, height);
    return this.#pixels;
  }
}

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
class FrameSigner {
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
