import sharp from 'sharp';

/** A shaded picture with camera noise: an average case for JPEG. */
export async function scene(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    const x = (Math.floor(at / 3) % width) / width;
    const y = Math.floor(at / 3 / width) / height;
    const wave = Math.sin(x * 40 + (at % 3)) * 50 + Math.cos(y * 25) * 40;
    const edge = (x * 12) % 1 > 0.5 ? 25 : 0;
    pixels[at] = 110 + wave + edge + ((state >> 16) % 13) - 6;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}
