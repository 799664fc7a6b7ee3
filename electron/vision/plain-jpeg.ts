import { joinBytes } from '../../shared/join-bytes.ts';
import type { FrameSize } from '../../shared/vision/frame-size.ts';

/** A JPEG of nothing but pixels. */
export interface PlainJpeg extends FrameSize {
  readonly jpeg: Uint8Array;
}

const marker = {
  scan: 0xda,
  comment: 0xfe,
  tables: [0xc4, 0xdb, 0xdd],
  sizes: [0xc0, 0xc1, 0xc2],
  jfif: 0xe0,
  /** Says among others how the picture is turned. */
  exif: 0xe1,
  /** Says what the colours are. */
  adobe: 0xee,
};

/**
 * Reads a JPEG as an engine's canvas writes it, and leaves out what is not needed to see it. Nothing where it has a part that says how it is
 * to be seen, or one that is not known: such a file is for those who decode it.
 */
export function readPlainJpeg(file: Uint8Array): PlainJpeg | undefined {
  if (file[0] !== 0xff || file[1] !== 0xd8) return undefined;
  if (file.at(-2) !== 0xff || file.at(-1) !== 0xd9) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const kept: Uint8Array[] = [file.subarray(0, 2)];
  let size: FrameSize | undefined;
  let at = 2;
  while (at + 4 <= file.length) {
    const kind = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return undefined;
    if (kind === marker.scan)
      return size && { ...size, jpeg: joinBytes([...kept, file.subarray(at)]) };
    const end = at + 2 + view.getUint16(at + 2);
    if (marker.sizes.includes(kind)) size = readSize(view, at, end);
    const keeps = [...marker.tables, ...marker.sizes, marker.jfif].includes(kind);
    if (keeps) kept.push(file.subarray(at, end));
    else if (!isLeftOut(kind)) return undefined;
    at = end;
  }
  return undefined;
}

/** What programs say of a picture, and what they say to each other. */
function isLeftOut(kind: number): boolean {
  if (kind === marker.exif || kind === marker.adobe) return false;
  return kind === marker.comment || (kind > marker.jfif && kind < marker.jfif + 16);
}

function readSize(view: DataView, at: number, end: number): FrameSize | undefined {
  if (end - at < 9 || end > view.byteLength) return undefined;
  const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
  return width === 0 || height === 0 ? undefined : { width, height };
}
