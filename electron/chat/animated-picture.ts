/** Where a WebP says what it has, and the bit that says it moves. */
const webpFlags = 20;
const webpMoves = 0x02;
/** A PNG that moves says so before its first picture, which its metadata seldom push further away. */
const pngHead = 65_536;

/** Whether a picture has several frames: WebP or PNG. The model sees the first of them. */
export function isAnimatedPicture(file: Uint8Array): boolean {
  const head = String.fromCharCode(...file.subarray(0, 16));
  if (/^RIFF[^]{4}WEBPVP8X/.test(head)) return ((file[webpFlags] ?? 0) & webpMoves) !== 0;
  if (head.startsWith('\u0089PNG')) return hasTag(file.subarray(0, pngHead), 'acTL');
  return false;
}

function hasTag(bytes: Uint8Array, tag: string): boolean {
  const first = tag.charCodeAt(0);
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (String.fromCharCode(...bytes.subarray(at, at + tag.length)) === tag) return true;
  }
  return false;
}
