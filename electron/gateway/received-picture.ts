import type { PictureFacts } from '../ports/pictures.ts';

/** Such as `640 by 480 pixels, mainly red and white`. */
export function describePicture({ width, height, colours }: PictureFacts): string {
  const size = `${width} by ${height} pixels`;
  const [most, next] = colours;
  if (most === undefined) return size;
  return `${size}, mainly ${next === undefined ? most : `${most} and ${next}`}`;
}

const signatures: readonly { readonly kind: 'jpeg' | 'png'; readonly bytes: readonly number[] }[] =
  [
    { kind: 'jpeg', bytes: [0xff, 0xd8, 0xff] },
    { kind: 'png', bytes: [0x89, 0x50, 0x4e, 0x47] },
  ];

/** What a file claims to be by its first bytes. */
export function pictureKind(file: Uint8Array): 'jpeg' | 'png' | undefined {
  return signatures.find(({ bytes }) => bytes.every((byte, at) => file[at] === byte))?.kind;
}
