import { failure } from '../../../shared/errors/app-error.ts';
import type { Failure } from '../../../shared/errors/app-error.ts';

/** Why a file is no picture we take, by its first bytes; nothing if it may be one. */
export function sniffPicture(file: Uint8Array): Failure | undefined {
  if (file.length === 0) return failure('emptyPicture');
  const head = String.fromCharCode(...file.subarray(0, 512));
  if (beginnings.some((beginning) => beginning.test(head))) return undefined;
  if (head.includes('%PDF-')) {
    return failure('picturePdf');
  }
  if (/<svg[\s>]/i.test(head)) {
    return failure('pictureSvg');
  }
  return failure('notPicture');
}

/** JPEG, PNG, GIF, WebP, TIFF, and AVIF or HEIC. */
const beginnings: readonly RegExp[] = [
  /^\u00FF\u00D8\u00FF/,
  /^\u0089PNG\r\n/,
  /^GIF8[79]a/,
  /^RIFF[^]{4}WEBP/,
  /^(?:II\*\0|MM\0\*)/,
  /^[^]{4}ftyp(?:avi[fs]|hei[cx]|mif1)/,
];
