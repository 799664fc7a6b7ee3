import sharp from 'sharp';
import type { ScreenPixels } from './x-panel.ts';

/** A tray item's picture on the bus: width, height, and ARGB with the alpha first. */
type Pixmap = readonly [number, number, Buffer];

/** How much of a picture file the panel's icon shows, from 0 to 1. */
export async function iconMatch(pixmaps: unknown, file: string): Promise<number> {
  const [pixmap] = pixmaps as readonly Pixmap[];
  if (pixmap === undefined) return 0;
  const [width, height, shown] = pixmap;
  const expected = await sharp(file).resize(width, height).ensureAlpha().raw().toBuffer();
  let seen = 0;
  let same = 0;
  for (let at = 0; at < expected.length; at += 4) {
    // Faint pixels are rounded differently.
    if ((expected[at + 3] ?? 0) < 250) continue;
    seen += 1;
    const pairs = [0, 1, 2].map((part) => [expected[at + part] ?? 0, shown[at + part + 1] ?? 0]);
    if (pairs.every(([one = 0, other = 0]) => Math.abs(one - other) < 8)) same += 1;
  }
  return seen === 0 ? 0 : same / seen;
}

/** The same for pixels on the screen, where a panel may have scaled and shifted the icon. */
export async function iconMatchOnScreen(seen: ScreenPixels, file: string): Promise<number> {
  const shares: number[] = [];
  for (let size = Math.min(seen.width, seen.height); size >= 12; size -= 1) {
    const expected = await sharp(file).resize(size, size).ensureAlpha().raw().toBuffer();
    const middle = { x: (seen.width - size) / 2, y: (seen.height - size) / 2 };
    for (const by of [-1, 0, 1]) {
      const left = Math.max(0, Math.floor(middle.x) + by);
      const top = Math.max(0, Math.floor(middle.y));
      shares.push(shareAt(seen, expected, size, { left, top }));
    }
  }
  return Math.max(...shares);
}

function shareAt(
  { width, height, colours }: ScreenPixels,
  expected: Buffer,
  size: number,
  { left, top }: { readonly left: number; readonly top: number },
): number {
  let drawn = 0;
  let same = 0;
  for (let at = 0; at < size * size; at += 1) {
    if ((expected[at * 4 + 3] ?? 0) < 200) continue;
    drawn += 1;
    const [x, y] = [left + (at % size), top + Math.floor(at / size)];
    if (x >= width || y >= height) continue;
    const place = (y * width + x) * 3;
    const near = [0, 1, 2].every(
      (part) => Math.abs((expected[at * 4 + part] ?? 0) - (colours[place + part] ?? 0)) < 32,
    );
    if (near) same += 1;
  }
  return drawn === 0 ? 0 : same / drawn;
}
