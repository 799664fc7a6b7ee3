import type { Why } from '../../../shared/why.ts';
import type { Failure } from '../../ports/outcome.ts';

/** Why a file is no picture we take, by its first bytes; nothing if it may be one. */
export function sniffPicture(file: Uint8Array): Failure | undefined {
  if (file.length === 0) return no('This picture is an empty file.', 'emptyPicture');
  const head = String.fromCharCode(...file.subarray(0, 512));
  if (beginnings.some((beginning) => beginning.test(head))) return undefined;
  if (head.includes('%PDF-')) {
    return no('This is a PDF and not a picture: give a JPEG or PNG file.', 'picturePdf');
  }
  if (/<svg[\s>]/i.test(head)) {
    return no('This is an SVG drawing: give a JPEG or PNG file.', 'pictureSvg');
  }
  return no('This is not a picture: give a JPEG or PNG file.', 'notPicture');
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

function no(problem: string, why: Why): Failure {
  return { ok: false, problem, why };
}
