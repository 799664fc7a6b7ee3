import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { type Base64, stringifyWithBytes } from '../../../../shared/protocol/base64-media.ts';

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
