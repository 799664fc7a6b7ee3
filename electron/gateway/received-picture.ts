import type { PictureFacts } from '../ports/pictures.ts';

/** Such as `640 by 480 pixels, mainly red and white`. */
export function describePicture({ width, height, colours }: PictureFacts): string {
  const size = `${width} by ${height} pixels`;
  const [most, next] = colours;
  if (most === undefined) return size;
  return `${size}, mainly ${next === undefined ? most : `${most} and ${next}`}`;
}
