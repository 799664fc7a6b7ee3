import { describe, expect, it } from 'vitest';
import { toSafeJson, sanitizeLine, stripControlCharacters } from '../../../shared/sanitize-text.ts';

const commands = '\u0000\u0007\u001b\u007f\u009b\u2028\u202a\u202e\u2066\u2069\ufff9\r';

describe('text from outside', () => {
  it('loses control characters and nothing else', () => {
    expect(stripControlCharacters(`a${commands}b\tc\nd é 好 😀 \u200f👩‍👧`)).toBe(
      'ab\tc\nd é 好 😀 \u200f👩‍👧',
    );
  });

  it('is cut to one line between characters', () => {
    expect(sanitizeLine(`one\n\u001b[2J two  three`)).toBe('one [2J two three');
    expect(sanitizeLine('😀😀😀', 3)).toBe('😀…');
    expect(sanitizeLine('abc', 3)).toBe('abc');
    expect(sanitizeLine('x'.repeat(1e6), 10)).toBe('xxxxxxxxxx…');
  });

  it('keeps its meaning in JSON, with control characters escaped', () => {
    const value = { name: `a${commands}"\n` };
    const line = toSafeJson(value);
    expect(JSON.parse(line)).toEqual(value);
    // oxlint-disable-next-line no-control-regex -- the test checks that there are none
    expect(line).toMatch(/^[\u0020-\u007e]+$/u);
  });
});
