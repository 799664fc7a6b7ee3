import sharp from 'sharp';

/** One of the pictures of an item, as the bus has it: width, height, and ARGB with the alpha first. */
type Pixmap = readonly [number, number, Buffer];

/** How much of what a picture file shows is also shown by the icon on the panel, from 0 to 1. */
export async function iconShare(pixmaps: unknown, file: string): Promise<number> {
  const [pixmap] = pixmaps as readonly Pixmap[];
  if (pixmap === undefined) return 0;
  const [width, height, shown] = pixmap;
  const wanted = await sharp(file).resize(width, height).ensureAlpha().raw().toBuffer();
  let seen = 0;
  let same = 0;
  for (let at = 0; at < wanted.length; at += 4) {
    // Where it is faint the two round differently.
    if ((wanted[at + 3] ?? 0) < 250) continue;
    seen += 1;
    const pairs = [0, 1, 2].map((part) => [wanted[at + part] ?? 0, shown[at + part + 1] ?? 0]);
    if (pairs.every(([one = 0, other = 0]) => Math.abs(one - other) < 8)) same += 1;
  }
  return seen === 0 ? 0 : same / seen;
}
