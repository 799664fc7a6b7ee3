import { describe, expect, it } from 'vitest';
import { judgeSmallTree } from './copy-tree.ts';

const uniqueNames = (files: Readonly<Record<string, string>>) =>
  judgeSmallTree('unique-names.mjs', files);

describe('the gate for unique names', () => {
  it.each([
    ['two types', 'export type Planted = 1;\n', 'export interface Planted {}\n'],
    ['a type and a value', 'export type Planted = 1;\n', 'export const Planted = 1;\n'],
    ['two functions', 'export function planted() {}\n', 'export const planted = () => 1;\n'],
    ['a destructured name', 'export const planted = 1;\n', 'export const { a: [planted] } = b;\n'],
    [
      'an export list',
      'export class Planted {}\n',
      'type Mine = 1;\nexport type { Mine as Planted };\n',
    ],
  ])('catches %s', async (_of, one, other) => {
    const { passed, output } = await uniqueNames({
      'electron/chat/one.ts': one,
      'renderer/other.tsx': `\n${other}`,
    });
    expect(passed).toBe(false);
    expect(output).toMatch(
      /^"[Pp]lanted" has 2 definitions: electron\/chat\/one\.ts:1, renderer\/other\.tsx:[23]\. /,
    );
  });

  it.each([
    [
      'a type and a value in one file',
      { 'shared/a.ts': 'export type A = 1;\nexport const A = 1;\n' },
    ],
    [
      'overloads',
      {
        'shared/a.ts':
          'export function a(b: 1): 1;\nexport function a(b: 2): 2;\nexport function a(b: unknown) { return b; }\n',
      },
    ],
    [
      're-exports',
      {
        'shared/a.ts': 'export type A = 1;\n',
        'shared/b.ts': "export type { A } from './a.ts';\n",
        'shared/c.ts': "import type { A } from './a.ts';\nexport type { A };\n",
        'shared/d.ts': "export * from './a.ts';\n",
      },
    ],
    [
      'a table in each language',
      {
        'shared/i18n/english/talk.ts': 'export const talk = 1;\n',
        'shared/i18n/chinese/talk.ts': 'export const talk = 2;\n',
      },
    ],
    ['unexported names', { 'shared/a.ts': 'const a = 1;\n', 'shared/b.ts': 'const a = 1;\n' }],
  ])('allows %s', async (_what, files) => {
    expect(await uniqueNames(files)).toEqual({ passed: true, output: '' });
  });
});

const used = { 'electron/sound/jitter-buffer.ts': 'export const flushAll = 1;\n' };
const glossary = (...lines: readonly string[]) => ({ 'docs/glossary.md': lines.join('\n') });
const vocabulary = (files: Readonly<Record<string, string>>) =>
  judgeSmallTree('vocabulary.mjs', files);

describe('the gate for the vocabulary', () => {
  it('passes if every term is used', async () => {
    const page = glossary(
      '# Words',
      '',
      '- **jitter buffer**: what',
      '  goes on',
      '- **flush**: b',
    );
    expect(await vocabulary({ ...used, ...page })).toEqual({ passed: true, output: '' });
  });

  it.each([
    ['in a file', { 'shared/open-eyes.ts': '' }, 'shared/open-eyes.ts: "open-eyes" has', 'eye'],
    ['in a folder', { 'electron/desk/a.ts': '' }, 'electron/desk/a.ts: "desk" has', 'desk'],
    [
      'in a type',
      { 'shared/a.ts': '\nexport type TheEar = 1;\n' },
      'shared/a.ts:2: "TheEar" has',
      'ear',
    ],
    ['in a test', { 'test/unit/lobbies.test.ts': '' }, 'test/unit/lobbies.test.ts: ', 'lobby'],
    [
      'of several words',
      { 'shared/a.ts': 'export const openOrRefuse = 1;\n' },
      'openOrRefuse',
      'or refuse',
    ],
    ['at the start', { 'shared/a.ts': 'export const mostBytes = 1;\n' }, 'mostBytes', 'most'],
    [
      'that must be a whole name',
      { 'shared/a.ts': 'export const within = 1;\n' },
      'within',
      'within',
    ],
  ])('catches a retired word %s', async (_where, files, place, word) => {
    const { passed, output } = await vocabulary({
      ...used,
      ...glossary('- **flush**: b'),
      ...files,
    });
    expect(passed).toBe(false);
    expect(output).toContain(place);
    expect(output).toContain(`has the retired word "${word}". Use: `);
  });

  it('matches whole words of exported names only', async () => {
    const files = {
      'shared/desktop-heard.ts': 'export const utmostKeyed = 1;\nexport const withinReach = 1;\n',
      'shared/local.ts': 'const eye = 1;\n',
    };
    const { output } = await vocabulary({ ...used, ...glossary('- **flush**: b'), ...files });
    expect(output).toBe('');
  });

  it.each([
    ['is missing', {}, /^docs\/glossary\.md is missing\./],
    ['is empty', glossary('# Words'), /has no entry of the form/],
    ['has a term that no name uses', glossary('- **shimmer**: b'), /uses "shimmer" in its name/],
    ['has a term without a definition', glossary('- **flush**'), /"flush" has no definition/],
    [
      'defines a term twice',
      glossary('- **flush**: a', '- **flush**: b'),
      /"flush" is defined twice/,
    ],
  ])('catches a glossary that %s', async (_how, files, caught) => {
    const { passed, output } = await vocabulary({ ...used, ...files });
    expect(passed).toBe(false);
    expect(output).toMatch(caught);
  });
});
