import type { Base64 } from '../../shared/protocol/base64-media.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export const plainBase64: Base64 = {
  encode: (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 3) {
      const [first, second, third] = bytes.subarray(at, at + 3);
      const bits = ((first ?? 0) << 16) | ((second ?? 0) << 8) | (third ?? 0);
      text += character(bits >> 18) + character(bits >> 12);
      text += second === undefined ? '=' : character(bits >> 6);
      text += third === undefined ? '=' : character(bits);
    }
    return text;
  },
  decode: (text) => {
    if (text.length % 4 !== 0) return undefined;
    const padding = ['==', '='].find((end) => text.endsWith(end))?.length ?? 0;
    const bytes = new Uint8Array((text.length / 4) * 3);
    let bits = 0;
    for (let at = 0; at < text.length; at += 1) {
      const value = at < text.length - padding ? alphabet.indexOf(text.charAt(at)) : 0;
      if (value === -1) return undefined;
      bits = (bits << 6) | value;
      if (at % 4 === 3) {
        bytes.set([(bits >> 16) & 255, (bits >> 8) & 255, bits & 255], ((at - 3) / 4) * 3);
        bits = 0;
      }
    }
    return bytes.slice(0, bytes.length - padding);
  },
};

function character(bits: number): string {
  return alphabet.charAt(bits & 63);
}
