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

describe('a frame with bytes in it', () => {
  it('is the JSON that it would be, wherever its bytes stand', () => {
    expectAsJson(({ encode }) => [
      { type: 'two', last: undefined, input: { sound: encode(some), frames: [encode(others)] } },
      { type: 'none' },
      { type: 'again', sound: encode(some), text: 'She said "no" — 好。\n' },
    ]);
  });

  it('keeps the order of its fields where its bytes were coded in another', () => {
    expectAsJson(({ encode }) => {
      const later = encode(some);
      return [{ first: encode(others), later }];
    });
  });

  it.each([`${mark}0`, `${mark}1`, `${mark}7`])('says %j as anything else', (text) => {
    expectAsJson(() => [{ text }]);
    expectAsJson(({ encode }) => [{ text, sound: encode(some) }]);
  });

  it('asks for no letter of its bytes to be looked at', () => {
    let coded = 0;
    const text = stringifyWithBytes(({ encode }) => [{ sound: encode(others) }], {
      decode: () => undefined,
      encode: () => {
        coded += 1;
        // What JSON itself would escape is no base64: it shows who writes it.
        return '"';
      },
    });
    expect(text).toEqual(['{"sound":"""}']);
    expect(coded).toBe(1);
  });
});
