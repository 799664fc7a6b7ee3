import { describe, expect, it, vi } from 'vitest';
import { parseFrame } from '../../../../shared/protocol/base64-media.ts';

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
  it.each(frames)('parses to what JSON.parse gives: %s', (_name, text) => {
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
  ])('is not the sound of a long frame: %s', (_name, text) => {
    expect(parsed(text)).toBeLessThan(100);
  });

  it('is all of a short frame', () => {
    const text = `{"type":"x","audio":"${'QUJD'.repeat(100)}"}`;
    expect(parsed(text)).toBe(text.length);
  });
});
