import { describe, expect, it } from 'vitest';
import {
  uniqueVoiceName,
  readVoiceName,
} from '../../../../../electron/settings/voices/voice-library.ts';
import { englishErrorMessage } from '../../../../../shared/i18n/en/errors.ts';

describe('readVoiceName', () => {
  it.each([
    ['  My \t voice\n', 'My voice'],
    ['我的声音', '我的声音'],
    ['👩‍🚀 Ann', '👩‍🚀 Ann'],
    ['Zoë'.normalize('NFD'), 'Zoë'.normalize('NFC')],
    ['x'.repeat(60), 'x'.repeat(60)],
  ])('reads %j as %j', (text, name) => {
    expect(readVoiceName(text, [])).toEqual({ ok: true, value: name });
  });

  it.each([
    ['   ', 'needs a name'],
    ['x'.repeat(61), '60 characters'],
    ['a\u0000b', 'cannot be shown'],
    ['a\u202eb', 'cannot be shown'],
    ['ANN', 'called “ANN” already'],
  ])('refuses %j', (text, problem) => {
    const read = readVoiceName(text, ['Ann']);
    expect(read.ok ? '' : englishErrorMessage(read.error)).toContain(problem);
  });

  it.each([
    ['Take', 'Take'],
    ['ann', 'ann 3'],
    ['', 'Voice'],
    ['\u0000\n', 'Voice'],
    ['y'.repeat(500), 'y'.repeat(56)],
  ])('accepts the unique name that is generated from %j', (text, name) => {
    const taken = ['Ann', 'ANN 2'];
    expect(uniqueVoiceName(text, taken)).toBe(name);
    expect(readVoiceName(uniqueVoiceName(text, taken), taken).ok).toBe(true);
  });
});
