import { PixelReader } from './pixel-reader.ts';

/** Takes pictures out of a stream, as JPEG files. */
export interface FrameSnapshotter {
  /** Nothing while there is no picture yet. `whole` says that no part will be cut out of it. */
  readonly grab: (whole: boolean) => Promise<Uint8Array | undefined>;
  readonly close: () => void;
}

/** More than the model sees of a whole picture at any number of slices. */
const maxWholeSide = 1920;
/** Of a part it may see more; no screen is larger for its sharpness' sake. */
const maxCropSide = 3840;
/** It is encoded once more on the main side; this loses nothing that would be seen. */
const quality = 0.92;

export function createFrameSnapshotter(stream: MediaStream): FrameSnapshotter {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = stream;
  // Rejects when the stream ends before it begins; then there is nothing to grab.
  video.play().catch(() => undefined);
  const canvas = new OffscreenCanvas(1, 1);
  const pen = canvas.getContext('2d', { alpha: false });
  const reader = new PixelReader();

  return {
    grab: async (whole) => {
      const { videoWidth, videoHeight } = video;
      if (pen === null || videoWidth === 0 || videoHeight === 0) return undefined;
      // Its size is known before its first picture is; that would be black.
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
      const { width, height } = snapshotSize(videoWidth, videoHeight, whole);
      // Setting it clears the canvas and takes new memory, so only when it has changed.
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      // What cannot be read can be drawn.
      const pixels = await reader.read(video).catch(() => undefined);
      await put(pen, pixels ?? video, width, height);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      return new Uint8Array(await blob.arrayBuffer());
    },
    close: () => {
      video.srcObject = null;
    },
  };
}

/** Puts a picture onto a canvas of the size that is wanted. */
async function put(
  pen: OffscreenCanvasRenderingContext2D,
  picture: ImageData | HTMLVideoElement,
  width: number,
  height: number,
): Promise<void> {
  if (!(picture instanceof ImageData)) {
    pen.drawImage(picture, 0, 0, width, height);
  } else if (picture.width === width && picture.height === height) {
    pen.putImageData(picture, 0, 0);
  } else {
    const smaller = { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' } as const;
    const bitmap = await createImageBitmap(picture, smaller);
    pen.drawImage(bitmap, 0, 0);
    bitmap.close();
  }
}

/** The picture's own size, as far as it is of use; never larger. */
export function snapshotSize(
  width: number,
  height: number,
  whole: boolean,
): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, (whole ? maxWholeSide : maxCropSide) / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
