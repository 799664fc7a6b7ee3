// As much of ASN.1's binary form as a certificate is made of.

const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  objectId: 0x06,
  text: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

export function derOf(tag: keyof typeof tags | number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([
    Buffer.of(typeof tag === 'number' ? tag : tags[tag]),
    lengthOf(body.length),
    body,
  ]);
}

/** Such as `2.5.4.3`. */
export function derObjectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...others.flatMap(inBase128)];
  return derOf('objectId', Buffer.from(bytes));
}

/** Up to the second; of years from 1950 to 2049. */
export function derTime(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return derOf('time', Buffer.from(`${digits}Z`, 'ascii'));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x1_00 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

/** Seven bits a byte, the highest bit set on all but the last. */
function inBase128(number: number): readonly number[] {
  const rest = number & 0x7f;
  const above: number[] = [];
  for (let left = number >> 7; left > 0; left >>= 7) above.unshift((left & 0x7f) | 0x80);
  return [...above, rest];
}
