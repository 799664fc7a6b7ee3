function table(polynomial: number, bits: number): Uint16Array {
  const top = 1 << (bits - 1);
  return Uint16Array.from({ length: 256 }, (_none, byte) => {
    let rest = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1)
      rest = (rest & top) === 0 ? rest << 1 : (rest << 1) ^ polynomial;
    return rest & ((1 << bits) - 1);
  });
}

const headTable = table(0x07, 8);
const frameTable = table(0x80_05, 16);

/** What stands at the end of a frame's header. */
export function flacHeadCheck(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes) check = headTable[check ^ byte] ?? 0;
  return check;
}

/** What stands at the end of a frame. */
export function flacFrameCheck(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes)
    check = ((check << 8) & 0xff_ff) ^ (frameTable[(check >>> 8) ^ byte] ?? 0);
  return check;
}
