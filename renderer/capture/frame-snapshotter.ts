import { maxSlicesPerFrame } from '../../shared/protocol/protocol-limits.ts';
import { usefulSize } from '../../shared/vision/frame-size.ts';
import type { FrameSize } from '../../shared/vision/frame-size.ts';
import type { OfferedFrame } from '../../shared/vision/vision-frame.ts';
import { frameJpegQuality } from '../../shared/vision/vision-limits.ts';
import { PixelReader } from './pixel-reader.ts';
import { FrameSigner, putPixels } from './ready-frame.ts';

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
