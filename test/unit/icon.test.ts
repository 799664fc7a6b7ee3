import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { encodeIcns, encodeIco, iconSizes, iconSource } from '../../scripts/lib/icon-drawing.mjs';

const pictureOf = (size: number): string => `resources/icons/${size}x${size}.png`;

describe('the icon', () => {
  it('is one drawing, and the files made from it are up to date', async () => {
    expect(readFileSync('renderer/public/mark.svg', 'utf8')).toBe(iconSource);
    for (const size of [16, 48]) {
      const density = (72 * size) / 64;
      const drawn = sharp(Buffer.from(iconSource), { density }).resize(size, size).raw();
      const kept = await sharp(pictureOf(size)).raw().toBuffer();
      expect((await drawn.toBuffer()).equals(kept), `run scripts/make-icons.mjs: ${size}`).toBe(
        true,
      );
    }
  });

  it.each(iconSizes)(
    'has a picture of exactly %s pixels each way, with transparency',
    async (size) => {
      const { width, height, hasAlpha } = await sharp(pictureOf(size)).metadata();
      expect([width, height, hasAlpha]).toEqual([size, size, true]);
    },
  );

  it('shows both voices, each in its ink and its half, at 16 pixels', async () => {
    const { data } = await sharp(pictureOf(16)).ensureAlpha().raw().toBuffer({
      resolveWithObject: true,
    });
    const shares = { left: 0, right: 0 };
    for (let at = 0; at < 256; at += 1) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3);
      const side = at % 16 < 8 ? 'left' : 'right';
      const coral = red > 170 && red - blue > 70;
      const paper = red > 170 && green > 170 && blue > 160;
      if (side === 'left' ? coral : paper) shares[side] += 1 / 256;
    }
    expect(shares.left).toBeGreaterThan(0.05);
    expect(shares.right).toBeGreaterThan(0.05);
  });

  it('is packed for Windows and macOS as their systems read it', () => {
    const pictures = [16, 32, 256].map((size) => ({ size, png: readFileSync(pictureOf(size)) }));
    const ico = encodeIco(pictures);
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([1, 3]);
    const [length, at] = [ico.readUInt32LE(6 + 32 + 8), ico.readUInt32LE(6 + 32 + 12)];
    expect(ico.subarray(at, at + length).equals(pictures[2]?.png ?? Buffer.alloc(0))).toBe(true);
    const icns = encodeIcns(pictures);
    expect(icns.toString('latin1', 0, 4)).toBe('icns');
    expect(icns.readUInt32BE(4)).toBe(icns.length);
    expect(icns.includes('ic08')).toBe(true);
  });
});
