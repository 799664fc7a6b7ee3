import { failure, type Failure } from '../../../shared/errors/app-error.ts';
import { maxFrameBytes } from '../../../shared/vision/vision-frame.ts';

/** Checks the first bytes; returns a failure unless the file may be a supported picture. */
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
  const other = others.find(({ beginning }) => beginning.test(head));
  return other === undefined
    ? failure('notPicture')
    : failure('otherPicture', { kind: other.kind });
}

/** Pages encode frames as JPEG, so anything else is rejected. */
export function sniffFrame(file: Uint8Array): Failure | undefined {
  if (file.length > maxFrameBytes) {
    return failure('frameHeavy', { size: file.length, most: maxFrameBytes });
  }
  const jpeg = file[0] === 0xff && file[1] === 0xd8 && file[2] === 0xff;
  return jpeg ? undefined : failure('frameNotJpeg');
}

/** JPEG, PNG and WebP, the formats that users really have. */
const beginnings: readonly RegExp[] = [/^\u00FF\u00D8\u00FF/, /^\u0089PNG\r\n/, /^RIFF[^]{4}WEBP/];

/** Recognized for a clear message; decoding them would add attack surface for little use. */
const others: readonly { readonly beginning: RegExp; readonly kind: string }[] = [
  { beginning: /^GIF8[79]a/, kind: 'GIF' },
  { beginning: /^(?:II\*\0|MM\0\*)/, kind: 'TIFF' },
  { beginning: /^[^]{4}ftypavi[fs]/, kind: 'AVIF' },
  { beginning: /^[^]{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/, kind: 'HEIC' },
  { beginning: /^BM[^]{4}\0{4}/, kind: 'BMP' },
];
