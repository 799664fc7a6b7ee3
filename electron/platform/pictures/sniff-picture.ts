import { failure, type Failure } from '../../../shared/errors/app-error.ts';
import { maxFrameBytes } from '../../../shared/vision/vision-frame.ts';

/** Checks the first bytes; returns a failure unless the file may be a supported picture. */
export function sniffPicture(file: Uint8Array): Failure | undefined {
  if (file.length === 0) return failure('emptyPicture');
  const head = String.fromCharCode(...file.subarray(0, 512));
  if (supportedSignatures.some((signature) => signature.test(head))) return undefined;
  if (head.includes('%PDF-')) {
    return failure('picturePdf');
  }
  if (/<svg[\s>]/i.test(head)) {
    return failure('pictureSvg');
  }
  const other = otherFormats.find(({ signature }) => signature.test(head));
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
const supportedSignatures: readonly RegExp[] = [
  /^\u00FF\u00D8\u00FF/,
  /^\u0089PNG\r\n/,
  /^RIFF[^]{4}WEBP/,
];

/** Recognized for a clear message; decoding them would add attack surface for little use. */
const otherFormats: readonly { readonly signature: RegExp; readonly kind: string }[] = [
  { signature: /^GIF8[79]a/, kind: 'GIF' },
  { signature: /^(?:II\*\0|MM\0\*)/, kind: 'TIFF' },
  { signature: /^[^]{4}ftypavi[fs]/, kind: 'AVIF' },
  { signature: /^[^]{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/, kind: 'HEIC' },
  { signature: /^BM[^]{4}\0{4}/, kind: 'BMP' },
];
