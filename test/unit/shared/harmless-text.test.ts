import { describe, expect, it } from 'vitest';
import { toSafeJson, sanitizeLine, stripControlCharacters } from '../../../shared/harmless-text.ts';

const commands = '\u0000\u0007\u001b\u007f\u009b\u2028\u202a\u202e\u2066\u2069\ufff9\r';

describe('a text from outside', () => {
  it('loses what a terminal would obey, and nothing else', () => {
    expect(stripControlCharacters(`a${commands}b\tc\nd é 好 😀 \u200f👩‍👧`)).toBe(
      'ab\tc\nd é 好 😀 \u200f👩‍👧',
    );
  });

  it('comes to one line, cut between letters', () => {
    expect(sanitizeLine(`one\n\u001b[2J two  three`)).toBe('one [2J two three');
    expect(sanitizeLine('😀😀😀', 3)).toBe('😀…');
    expect(sanitizeLine('abc', 3)).toBe('abc');
    expect(sanitizeLine('x'.repeat(1e6), 10)).toBe('xxxxxxxxxx…');
  });

  it('says the same in JSON, with every command written out', () => {
    const value = { name: `a${commands}"\n` };
    const line = toSafeJson(value);
    expect(JSON.parse(line)).toEqual(value);
    // oxlint-disable-next-line no-control-regex -- that there are none is what this is about
    expect(line).toMatch(/^[\u0020-\u007e]+$/u);
  });
});
