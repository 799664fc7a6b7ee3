import { maxSlicesPerFrame } from '../../shared/protocol/realtime-api.ts';
import {
  frameJpegQuality,
  type FrameSize,
  type OfferedFrame,
  signatureSide,
  usefulSize,
} from '../../shared/vision/vision-frame.ts';
import type { VisionOptions } from '../../shared/vision/vision-options.ts';

export interface FrameGrabberDeps {
  readonly now: () => number;
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly createSnapshotter: (stream: MediaStream) => FrameSnapshotter;
  readonly hidden: () => boolean;
  readonly offer: (frame: OfferedFrame) => Promise<void>;
}

/** The pause before another attempt, for example while a new stream has no picture yet. */
const retryMs = 100;

/** Grabs frames from an open stream at the wanted rate and offers them to the core. */
export class FrameGrabber {
  readonly #deps: FrameGrabberDeps;
  #open:
    | {
        readonly snapshotter: FrameSnapshotter;
        readonly schedule: GrabSchedule;
        readonly settings: VisionOptions;
      }
    | undefined;
  #paused = false;
  #frozen = false;
  /** The frozen picture. It is offered repeatedly, as if the camera saw a still scene. */
  #frozenFrame: OfferedFrame | undefined;
  #active = true;
  #grabbing = false;
  #chunkMs = 1000;
  #cancel: () => void = () => undefined;

  constructor(deps: FrameGrabberDeps) {
    this.#deps = deps;
  }

  open(stream: MediaStream, settings: VisionOptions): void {
    this.close();
    const snapshotter = this.#deps.createSnapshotter(stream);
    this.#open = { snapshotter, schedule: new GrabSchedule(), settings };
    this.#next();
  }

  set(settings: VisionOptions): void {
    if (this.#open === undefined) return;
    this.#open = { ...this.#open, settings };
    this.#next();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
  }

  setFrozen(frozen: boolean): void {
    this.#frozen = frozen;
    this.#frozenFrame = undefined;
    if (this.#open !== undefined) this.#grabAfter(0);
  }

  dropFrozenFrame(): void {
    this.#frozenFrame = undefined;
  }

  setActive(active: boolean): void {
    const began = active && !this.#active;
    this.#active = active;
    if (began && this.#open !== undefined) this.#grabAfter(0);
  }

  setChunk(milliseconds: number): void {
    this.#chunkMs = milliseconds;
    this.#next();
  }

  frameSent(): void {
    this.#open?.schedule.recordSend(this.#deps.now());
    this.#next();
  }

  close(): void {
    this.#cancel();
    this.#open?.snapshotter.close();
    this.#open = undefined;
  }

  #next(): void {
    if (this.#open === undefined) return;
    this.#grabAfter(
      this.#open.schedule.msUntilNextGrab(this.#deps.now(), this.#interval(this.#open.settings)),
    );
  }

  #grabAfter(milliseconds: number): void {
    this.#cancel();
    this.#cancel = this.#deps.after(milliseconds, () => void this.#grab());
  }

  async #grab(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    open.schedule.recordGrab(this.#deps.now());
    this.#next();
    const freezesNow = this.#frozen && this.#frozenFrame === undefined;
    // A slow page or core reduces the frame rate; frames never queue up.
    if (this.#grabbing) {
      if (freezesNow) this.#grabAfter(retryMs);
      return;
    }
    if (this.#paused || (!freezesNow && this.#isIdle(open.settings))) return;
    this.#grabbing = true;
    try {
      const purpose = grabPurpose(open.settings, freezesNow);
      const frame = this.#frozenFrame ?? (await open.snapshotter.grab(purpose));
      // The capture may have been closed or paused meanwhile; then no frame may leave the page.
      if (this.#open?.snapshotter !== open.snapshotter || this.#paused) return;
      if (frame === undefined) {
        this.#grabAfter(retryMs);
        return;
      }
      if (this.#frozen) this.#frozenFrame ??= frame;
      if (this.#active) await this.#deps.offer(frame);
    } finally {
      this.#grabbing = false;
    }
  }

  /** A camera rests while the page is hidden. A shared screen or a frozen picture is still wanted then. */
  #isIdle({ source }: VisionOptions): boolean {
    if (!this.#active) return true;
    return source.kind === 'camera' && this.#frozenFrame === undefined && this.#deps.hidden();
  }

  #interval({ rate }: VisionOptions): number {
    return rate === 'everyChunk'
      ? this.#chunkMs
      : Math.max(this.#chunkMs, 1000 / rate.framesPerSecond);
  }
}

/** Screens have small text, and a frozen picture may be cropped later, so both stay large. */
function grabPurpose({ source, crop, slices }: VisionOptions, freezesNow: boolean): GrabPurpose {
  if (source.kind === 'region' || crop !== undefined) return { kind: 'part' };
  return source.kind === 'camera' && !freezesNow ? { kind: 'ready', slices } : { kind: 'whole' };
}

/** The time from grabbing to being ready for a chunk: encoding, transfer to the core, preparation. */
const leadMs = 150;

/** Grabs once per interval. While frames are sent regularly, it grabs 150 ms before the next send. */
class GrabSchedule {
  #grabbedAt: number | undefined;
  #sentAt: number | undefined;

  recordGrab(at: number): void {
    this.#grabbedAt = at;
  }

  recordSend(at: number): void {
    this.#sentAt = at;
  }

  msUntilNextGrab(now: number, intervalMs: number): number {
    if (this.#grabbedAt === undefined) return 0;
    const due = this.#grabbedAt + intervalMs;
    const knowsSends = this.#sentAt !== undefined && now - this.#sentAt < 2 * intervalMs;
    if (!knowsSends || this.#sentAt === undefined) return Math.max(0, due - now);
    // The core drops a frame within half an interval of the last one, so 0.6 leaves a margin.
    const earliest = Math.max(now, this.#grabbedAt + 0.6 * intervalMs);
    const first = this.#sentAt - leadMs;
    const rounds = Math.ceil((earliest - first) / intervalMs);
    return Math.max(0, first + rounds * intervalMs - now);
  }
}

export type GrabPurpose =
  /** The page prepares it for this many slices, and the core sends it unchanged. */
  | { readonly kind: 'ready'; readonly slices: number }
  /** The core prepares it further, without a crop. */
  | { readonly kind: 'whole' }
  /** The core crops it and prepares it further, so it is grabbed with more pixels. */
  | { readonly kind: 'part' };

interface FrameSnapshotter {
  /** Resolves undefined while the stream has no picture yet. */
  readonly grab: (purpose: GrabPurpose) => Promise<OfferedFrame | undefined>;
  readonly close: () => void;
}

/** A common screen width, in pixels, so that most screens are not scaled twice. */
const maxWholeSide = 1920;
/** A cropped area needs more pixels; few screens are larger. */
const maxCropSide = 3840;
/** The core encodes the picture again, so this pass must not lose visible detail. */
const intermediateQuality = 0.92;

export function createFrameSnapshotter(stream: MediaStream): FrameSnapshotter {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = stream;
  // Rejects if the stream ends first; then there is nothing to grab.
  video.play().catch(() => undefined);
  const canvas = new OffscreenCanvas(1, 1);
  const pen = canvas.getContext('2d', { alpha: false });
  const reader = new PixelReader();
  const signer = new FrameSigner();

  return {
    grab: async (purpose) => {
      const { videoWidth, videoHeight } = video;
      if (pen === null || videoWidth === 0 || videoHeight === 0) return undefined;
      // The video's size is known before its first picture; a grab would be black.
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
      const { width, height } = snapshotSize({ width: videoWidth, height: videoHeight }, purpose);
      // Assigning a size clears the canvas and reallocates it, so only if it changed.
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      pen.imageSmoothingQuality = 'high';
      // Falls back to drawing if the pixels cannot be read.
      const pixels = await reader.read(video).catch(() => undefined);
      if (pixels === undefined) pen.drawImage(video, 0, 0, width, height);
      else await putPixels(pen, pixels);
      const ready = purpose.kind === 'ready';
      const quality = ready ? frameJpegQuality / 100 : intermediateQuality;
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      const jpeg = new Uint8Array(await blob.arrayBuffer());
      return { jpeg, signature: ready ? signer.sign(canvas) : undefined };
    },
    close: () => {
      video.srcObject = null;
    },
  };
}

/** The picture's size, reduced to what is useful; never enlarged. */
export function snapshotSize(size: FrameSize, purpose: GrabPurpose): FrameSize {
  if (purpose.kind === 'ready') return usefulSize(size, purpose.slices);
  const side = purpose.kind === 'whole' ? maxWholeSide : maxCropSide;
  // If `side` became the longer side of a very wide screen, the picture would have fewer pixels than the model can see.
  const minScale = usefulSize(size, maxSlicesPerFrame).width / size.width;
  const scale = Math.min(1, Math.max(minScale, side / Math.max(size.width, size.height)));
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/**
 * Reads a video's current frame as pixels. Without a GPU, a frame drawn onto a canvas instead stays in the
 * memory shared with the compositor: 1.2 MB for each picture of a small camera, up to 450 MB (measured in
 * Chromium 130 and 156).
 */
class PixelReader {
  /** Reused as long as the size stays; a large screen takes 33 MB. */
  #pixels: ImageData | undefined;

  /** Undefined without VideoFrame, or for rotated or stretched frames; those must be drawn. */
  async read(video: HTMLVideoElement): Promise<ImageData | undefined> {
    if (!('VideoFrame' in globalThis)) return undefined;
    const frame = new VideoFrame(video);
    try {
      const { width, height } = frame.visibleRect ?? { width: 0, height: 0 };
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
 * Scales pixels onto the canvas. It halves them with averaging as often as possible and draws the rest smoothly, because
 * a single smooth resize skips pixels and flickers. Below a factor of two, 1-pixel stripes still show moiré; a method
 * without it took 9 ms instead of 3.
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
  const halved = await createImageBitmap(pixels, {
    resizeWidth: Math.max(width, Math.round(pixels.width / 2 ** halvings)),
    resizeHeight: Math.max(height, Math.round(pixels.height / 2 ** halvings)),
    resizeQuality: 'medium',
  });
  pen.drawImage(halved, 0, 0, width, height);
  halved.close();
}

/** Reduces a canvas to a few grey values, to compare frames. */
class FrameSigner {
  readonly #pen = new OffscreenCanvas(signatureSide, signatureSide).getContext('2d', {
    alpha: false,
    willReadFrequently: true,
  });

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

/** Perceived brightness (Rec. 709). */
function grey(pixels: Uint8ClampedArray, at: number): number {
  const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
  return Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
}
