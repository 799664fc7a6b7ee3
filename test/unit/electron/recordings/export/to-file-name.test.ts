import { expect, it } from 'vitest';
import { toFileName } from '../../../../../electron/recordings/export/export-controller.ts';

it('an export turns any title into a visible file name that is valid on every system', () => {
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
    // File systems allow 255 bytes.
    ['🍵'.repeat(100), `${'🍵'.repeat(50)}.md`],
  ] as const;
  for (const [title, name] of names) expect(toFileName(title, 'md')).toBe(name);
});
