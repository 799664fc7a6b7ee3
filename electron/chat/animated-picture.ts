const graphicControl = 0x21_f9_04;
/** Where a WebP says what it has, and the bit that says it moves. */
const webpFlags = 20;
const webpMoves = 0x02;
/** A PNG that moves says so before its first picture, which its metadata seldom push further away. */
const pngHead = 65_536;

/** Whether a picture has several frames: GIF, WebP or PNG. The model sees the first of them. */
export function isAnimatedPicture(file: Uint8Array): boolean {
  const head = String.fromCharCode(...file.subarray(0, 16));
  if (head.startsWith('GIF8')) return framesOfGif(file) > 1;
  if (/^RIFF[^]{4}WEBPVP8X/.test(head)) return ((file[webpFlags] ?? 0) & webpMoves) !== 0;
  if (head.startsWith('\u0089PNG')) return hasTag(file.subarray(0, pngHead), 'acTL');
  return false;
}

/** Up to two: every frame of a moving GIF has a control block before it. */
function framesOfGif(file: Uint8Array): number {
  let frames = 0;
  for (let at = file.indexOf(0x21); at !== -1 && frames < 2; at = file.indexOf(0x21, at + 1)) {
    const tag = (0x21 << 16) | ((file[at + 1] ?? 0) << 8) | (file[at + 2] ?? 0);
    if (tag === graphicControl && file[at + 7] === 0) frames += 1;
  }
  return frames;
}

function hasTag(bytes: Uint8Array, tag: string): boolean {
  const first = tag.charCodeAt(0);
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (String.fromCharCode(...bytes.subarray(at, at + tag.length)) === tag) return true;
  }
  return false;
}
