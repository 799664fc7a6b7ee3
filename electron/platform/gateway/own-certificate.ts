import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

// The subset of DER that a certificate needs.

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

function encodeDer(tag: keyof typeof tags | number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([
    Buffer.of(typeof tag === 'number' ? tag : tags[tag]),
    encodeLength(body.length),
    body,
  ]);
}

function derObjectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...others.flatMap(encodeBase128)];
  return encodeDer('objectId', Buffer.from(bytes));
}

/** Encodes a time in seconds, for the years 1950 to 2049. */
function derTime(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return encodeDer('time', Buffer.from(`${digits}Z`, 'ascii'));
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x1_00 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

/** Encodes seven bits per byte, with the high bit set on all but the last. */
function encodeBase128(number: number): readonly number[] {
  const lastByte = number & 0x7f;
  const bytes: number[] = [];
  for (let bits = number >> 7; bits > 0; bits >>= 7) bytes.unshift((bits & 0x7f) | 0x80);
  return [...bytes, lastByte];
}

/** A self-signed certificate with its key, and the fingerprint by which to trust it. */
export interface OwnCertificate {
  readonly key: string;
  readonly cert: string;
  readonly fingerprint: string;
}

const day = 24 * 60 * 60 * 1000;
const validDays = 30;
const ecdsaWithSha256 = encodeDer('sequence', derObjectId('1.2.840.10045.4.3.2'));

/** Creates a certificate for this run, so that no key is stored. It names this machine and the listening host. */
export function makeOwnCertificate(host: string, now: number): OwnCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = encodeName('Parley gateway');
  const content = encodeDer(
    'sequence',
    encodeDer(0xa0, encodeDer('integer', Buffer.of(2))),
    // With this first byte, the serial number is positive and has a fixed length.
    encodeDer('integer', Buffer.concat([Buffer.of(0x40), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    encodeDer('sequence', derTime(new Date(now - day)), derTime(new Date(now + validDays * day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(0xa3, encodeDer('sequence', alternativeNames(host))),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = new X509Certificate(
    encodeDer('sequence', content, ecdsaWithSha256, encodeDer('bits', Buffer.of(0), signature)),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: certificate.toString(),
    fingerprint: certificate.fingerprint256,
  };
}

function encodeName(text: string): Buffer {
  const attribute = encodeDer(
    'sequence',
    derObjectId('2.5.4.3'),
    encodeDer('text', Buffer.from(text)),
  );
  return encodeDer('sequence', encodeDer('set', attribute));
}

function alternativeNames(host: string): Buffer {
  const names = [...new Set(['localhost', '127.0.0.1', '::1', host])].map((name) =>
    isIP(name) === 0
      ? encodeDer(0x82, Buffer.from(name, 'ascii'))
      : encodeDer(0x87, addressBytes(name)),
  );
  return encodeDer(
    'sequence',
    derObjectId('2.5.29.17'),
    encodeDer('octets', encodeDer('sequence', ...names)),
  );
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [before = '', after] = address.split('::');
  const [head, tail] = [splitGroups(before), splitGroups(after)];
  const gap = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return Buffer.from(
    [...head, ...gap, ...tail].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  );
}

const splitGroups = (text = ''): readonly string[] => (text === '' ? [] : text.split(':'));
