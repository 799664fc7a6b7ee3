import { describe, expect, it } from 'vitest';
import {
  defaultsFor,
  withDefault,
  withoutDefault,
} from '../../../../../../electron/hosts/desktop/integration/system-registration.ts';

const type = 'x-scheme-handler/parley';
const ours = 'parley-links.desktop';
const others = [
  '# mine',
  '[Added Associations]',
  `${type}=elsewhere.desktop;`,
  'text/plain=vim.desktop;',
  '',
  '[Default Applications]',
  'text/html=firefox.desktop',
  '',
].join('\n');

describe('the default programs', () => {
  it.each([
    ['', `[Default Applications]\n${type}=${ours};\n`],
    ['[Other]\nx=y', `[Other]\nx=y\n[Default Applications]\n${type}=${ours};\n`],
    [
      others,
      others.replace('[Default Applications]\n', `[Default Applications]\n${type}=${ours};\n`),
    ],
  ])('have one more line in %j', (text, wanted) => {
    const added = withDefault(text, type, ours);
    expect(added).toBe(wanted);
    expect(withDefault(added, type, ours)).toBe(added);
    expect(defaultsFor(added, type)).toEqual([ours]);
  });

  it('are unchanged after the line is added and removed', () => {
    expect(withoutDefault(withDefault(others, type, ours), type, ours)).toBe(others);
    expect(withoutDefault(others, type, ours)).toBe(others);
  });

  it('return to the user’s earlier choice', () => {
    const chosen = `[Default Applications]\n ${type} = other.desktop ; third.desktop\n`;
    const added = withDefault(chosen, type, ours);
    expect(defaultsFor(added, type)).toEqual([ours, 'other.desktop', 'third.desktop']);
    const left = withoutDefault(added, type, ours);
    expect(defaultsFor(left, type)).toEqual(['other.desktop', 'third.desktop']);
  });

  it('are read in their section only, without comments', () => {
    expect(defaultsFor(others, type)).toEqual([]);
    expect(defaultsFor(`[Default Applications]\n#${type}=${ours}\n`, type)).toEqual([]);
  });
});
