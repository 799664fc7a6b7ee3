import { expect, it } from 'vitest';
import { fileNameOf } from '../../../../../electron/recordings/export/export-controller.ts';

it('makes a name of any title that every system takes, and that is no hidden file and no way', () => {
  const names = [
    ['Grandmother’s recipe', 'Grandmother’s recipe.md'],
    ['../../etc/passwd', 'etc passwd.md'],
    ['C:\\secret?*|<>"', 'C secret.md'],
    ['...hidden...', 'hidden.md'],
    ['two\nlines\u0000and\u202Eback', 'two lines and back.md'],
    ['', 'Parley.md'],
    [' . ', 'Parley.md'],
    ['con', 'Parley con.md'],
    ['绿茶怎么泡？', '绿茶怎么泡？.md'],
    ['nul.txt', 'Parley nul.txt.md'],
    ['x'.repeat(100), `${'x'.repeat(80)}.md`],
    // 255 bytes is what a disk takes of a name.
    ['🍵'.repeat(100), `${'🍵'.repeat(50)}.md`],
  ] as const;
  for (const [title, name] of names) expect(fileNameOf(title, 'md')).toBe(name);
});
