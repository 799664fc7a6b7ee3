import { describe, expect, it, vi } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import {
  type Base64,
  decodePcm,
  parseFrame,
  stringifyWithBytes,
} from '../../../../shared/protocol/base64-media.ts';

const long = 'QUJD'.repeat(2000);

const frames: readonly (readonly [name: string, text: string])[] = [
  ['sound at the top', `{"type":"x","audio":"${long}","n":1}`],
  ['sound after a space, as Python writes it', `{"type": "x", "audio": "${long}"}`],
  ['sound inside the input', `{"type":"x","input":{"force":true,"audio":"${long}","id":"7"}}`],
  ['sound somewhere else', `{"type":"x","error":{"audio":"${long}"},"audio":"QUJD"}`],
  ['sound inside the input and at the top', `{"input":{"audio":"QUJD"},"audio":"${long}"}`],
  ['sound twice', `{"audio":"${long}","audio":"QUJD"}`],
  ['sound twice inside the input', `{"input":{"audio":"${long}","audio":"QUJD"}}`],
  ['input that is a list', `{"input":["audio"],"x":[{"audio":"${long}"}]}`],
  ['a key that ends like ours', `{"not \\"audio":"${long}"}`],
  ['text that quotes a frame', `{"text":"{\\"audio\\":\\"${long}\\"}","audio":"QUJD"}`],
  ['escaped slashes', `{"audio":"QUJD\\/\\/${long}"}`],
  ['an escaped quote', `{"audio":"${long}\\"","b":1}`],
  ['the placeholder before the sound', `{"text":"(audio is put back here)","audio":"${long}"}`],
  [
    'the placeholder before the sound, in an audio field',
    `{"audio" :"(audio is put back here)","x":{"audio":"${long}"}}`,
  ],
  ['the placeholder after the sound', `{"audio":"${long}","text":"(audio is put back here)"}`],
  ['the placeholder as a second audio', `{"audio":"${long}","audio":"(audio is put back here)"}`],
  ['audio that is a number', `{"audio":4,"text":"${long}"}`],
  ['no audio', `{"text":"${long}"}`],
  ['audio without an end', `{"audio":"${long}`],
  ['a cut frame', `{"audio":"${long}","text":"Hel`],
  ['audio as the last key', `["${long}","audio":`],
  ['a field called __proto__', `{"__proto__":{"a":1},"audio":"${long}"}`],
  ['a list', `[{"audio":"${long}"}]`],
];

function parsedObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

describe('a long frame', () => {
  it.each(frames)('parses to what JSON.parse returns: %s', (_name, text) => {
    const frame = parseFrame(text);
    expect(JSON.stringify(frame)).toBe(JSON.stringify(parsedObject(text)));
  });
});

describe('the part of a frame that JSON.parse handles', () => {
  /** How many characters JSON.parse saw, summed over all calls. */
  const parsed = (text: string): number => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      parseFrame(text);
      return parse.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
    } finally {
      parse.mockRestore();
    }
  };

  it.each([
    ['at the top', `{"type":"x","audio":"${long}","n":1}`],
    ['after spaces', `{"type": "x", "audio":   "${long}"}`],
    ['inside the input', `{"type":"x","input":{"force":true,"audio":"${long}"}}`],
  ])('leaves out the sound of a long frame: %s', (_name, text) => {
    expect(parsed(text)).toBeLessThan(100);
  });

  it('is the whole of a short frame', () => {
    const text = `{"type":"x","audio":"${'QUJD'.repeat(100)}"}`;
    expect(parsed(text)).toBe(text.length);
  });
});

/** The bytes of 0.5 and −0.25, at any offset in a larger buffer. */
function bytesAt(place: number): Uint8Array {
  const bytes = new Uint8Array(new ArrayBuffer(place + 12), place, 8);
  bytes.set(new Uint8Array(Float32Array.of(0.5, -0.25).buffer));
  return bytes;
}

it.each([1, 2, 3, 7])('sound is read at offset %i, where no float may start', (place) => {
  expect(decodePcm(bytesAt(place))).toEqual({ audio: Float32Array.of(0.5, -0.25) });
});

it.each([0, 4])('sound is not copied at the aligned offset %i', (place) => {
  const bytes = bytesAt(place);
  const audio = decodePcm(bytes)?.audio;
  expect(audio).toEqual(Float32Array.of(0.5, -0.25));
  expect(audio?.buffer).toBe(bytes.buffer);
});

it('bytes after the sound are not changed', () => {
  const bytes = bytesAt(0);
  const behind = new Float32Array(bytes.buffer, 8, 1);
  behind[0] = Infinity;
  decodePcm(bytes);
  expect(behind[0]).toBe(Infinity);
});

const some = Uint8Array.of(1, 2, 3);
const others = new Uint8Array(40_000).fill(7);
const mark = '\u0001';

function expectAsJson(framesOf: (base64: Base64) => readonly object[]): void {
  const expected = framesOf(bufferBase64).map((frame) => JSON.stringify(frame));
  expect(stringifyWithBytes(framesOf, bufferBase64)).toEqual(expected);
}

describe('a frame that contains bytes', () => {
  it('equals the JSON of the same values, regardless of the position of the bytes', () => {
    expectAsJson(({ encode }) => [
      { type: 'two', last: undefined, input: { sound: encode(some), frames: [encode(others)] } },
      { type: 'none' },
      { type: 'again', sound: encode(some), text: 'She said "no" — 好。\n' },
    ]);
  });

  it('keeps the order of its fields when its bytes are encoded in another order', () => {
    expectAsJson(({ encode }) => {
      const later = encode(some);
      return [{ first: encode(others), later }];
    });
  });

  it.each([mark, `${mark}1`, `${mark}7`])('contains %j like any other text', (text) => {
    expectAsJson(() => [{ text }]);
    expectAsJson(({ encode }) => [{ text, sound: encode(some) }]);
  });

  it('does not pass the base64 of its bytes through JSON.stringify', () => {
    let coded = 0;
    const text = stringifyWithBytes(({ encode }) => [{ sound: encode(others) }], {
      decode: () => undefined,
      encode: () => {
        coded += 1;
        // JSON.stringify escapes this letter, so an escape in the result shows that it ran.
        return '"';
      },
    });
    expect(text).toEqual(['{"sound":"""}']);
    expect(coded).toBe(1);
  });
});
