import type { Outcome } from '../../shared/errors/app-error.ts';
import type {
  FramePlan,
  Frames,
  PixelArea,
  PlanFrame,
  PreparedFrame,
} from '../../shared/ports/pictures.ts';
import { type FrameSize, type OfferedFrame, usefulSize } from '../../shared/vision/vision-frame.ts';
import type { FrameArea } from '../../shared/vision/vision-options.ts';
import { joinBytes } from '../../shared/collections.ts';

/** Passes on a frame that the page has already prepared; decodes, crops, scales and encodes any other. */
export async function prepareFrame(
  frames: Frames,
  frame: OfferedFrame,
  plan: PlanFrame,
): Promise<Outcome<PreparedFrame>> {
  const ready = readReadyFrame(frame, plan);
  if (ready !== undefined) return { ok: true, value: ready };
  return frames.prepare(frame.jpeg, plan);
}

function readReadyFrame(
  { jpeg, signature }: OfferedFrame,
  plan: PlanFrame,
): PreparedFrame | undefined {
  const plainJpeg = signature === undefined ? undefined : readPlainJpeg(jpeg);
  if (signature === undefined || plainJpeg === undefined) return undefined;
  const { crop, width, height } = plan(plainJpeg);
  if (crop !== undefined || width !== plainJpeg.width || height !== plainJpeg.height)
    return undefined;
  return { ...plainJpeg, signature };
}

/** Plans a frame without pixels that the model cannot see, and without enlarging it. */
export function planFrame(
  picture: FrameSize,
  area: FrameArea | undefined,
  slices: number,
): FramePlan {
  const crop = area === undefined ? undefined : pixelArea(picture, area);
  return { crop, ...usefulSize(crop ?? picture, slices) };
}

export function areaWithin(
  outer: FrameArea | undefined,
  inner: FrameArea | undefined,
): FrameArea | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return {
    left: outer.left + inner.left * outer.width,
    top: outer.top + inner.top * outer.height,
    width: inner.width * outer.width,
    height: inner.height * outer.height,
  };
}

/** The area in pixels: at least one, within the picture. Undefined for the whole picture. */
function pixelArea({ width, height }: FrameSize, area: FrameArea): PixelArea | undefined {
  const left = Math.min(width - 1, Math.max(0, Math.round(area.left * width)));
  const top = Math.min(height - 1, Math.max(0, Math.round(area.top * height)));
  const right = Math.min(width, Math.max(left + 1, Math.round((area.left + area.width) * width)));
  const bottom = Math.min(height, Math.max(top + 1, Math.round((area.top + area.height) * height)));
  if (right - left === width && bottom - top === height) return undefined;
  return { left, top, width: right - left, height: bottom - top };
}

/** A JPEG with only the segments needed to decode its pixels. */
export interface PlainJpeg extends FrameSize {
  readonly jpeg: Uint8Array;
}

const marker = {
  scan: 0xda,
  comment: 0xfe,
  tables: [0xc4, 0xdb, 0xdd],
  sizes: [0xc0, 0xc1, 0xc2],
  jfif: 0xe0,
  /** May contain the picture's orientation. */
  exif: 0xe1,
  adobe: 0xee,
};

/**
 * Reads a JPEG as canvases write it, without metadata. Undefined if it is incomplete, or has EXIF, Adobe's or an unknown segment.
 */
export function readPlainJpeg(file: Uint8Array): PlainJpeg | undefined {
  if (file[0] !== 0xff || file[1] !== 0xd8) return undefined;
  if (file.at(-2) !== 0xff || file.at(-1) !== 0xd9) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const segments: Uint8Array[] = [file.subarray(0, 2)];
  let size: FrameSize | undefined;
  let at = 2;
  while (at + 4 <= file.length) {
    const kind = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return undefined;
    if (kind === marker.scan)
      return size && { ...size, jpeg: joinBytes([...segments, file.subarray(at)]) };
    const end = at + 2 + view.getUint16(at + 2);
    if (marker.sizes.includes(kind)) size = readSize(view, at, end);
    const isNeeded = [...marker.tables, ...marker.sizes, marker.jfif].includes(kind);
    if (isNeeded) segments.push(file.subarray(at, end));
    else if (!isRemovable(kind)) return undefined;
    at = end;
  }
  return undefined;
}

/** Comments and application segments without effect on the picture. */
function isRemovable(kind: number): boolean {
  if (kind === marker.exif || kind === marker.adobe) return false;
  return kind === marker.comment || (kind > marker.jfif && kind < marker.jfif + 16);
}

function readSize(view: DataView, at: number, end: number): FrameSize | undefined {
  if (end - at < 9 || end > view.byteLength) return undefined;
  const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
  return width === 0 || height === 0 ? undefined : { width, height };
}
