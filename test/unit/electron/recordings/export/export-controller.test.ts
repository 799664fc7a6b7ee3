import { describe, expect, it } from 'vitest';
import {
  SavedFolder,
  toFileName,
} from '../../../../../electron/recordings/export/export-controller.ts';
import { unwrapAnswer } from '../../../../fakes/unwrap-answer.ts';

describe('the file name of an export', () => {
  it.each([
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
  ])('is visible and valid on every system: for %j, %j', (title, name) => {
    expect(toFileName(title, 'md')).toBe(name);
  });
});

const file = (path: string) => ({ ok: true, value: { kind: 'file', path } }) as const;

describe('the folder of the latest export', () => {
  it('is opened, and stays that of a file after a browser download', async () => {
    const opened: string[] = [];
    const saved = new SavedFolder((path) => {
      opened.push(path);
      return Promise.resolve(true);
    });
    saved.remember(file('/home/someone/talks/a.zip'));
    saved.remember({ ok: true, value: { kind: 'download', href: '/once', name: 'b.zip' } });
    expect(await unwrapAnswer(saved.show())).toEqual({ path: '/home/someone/talks', opened: true });
    expect(opened).toEqual(['/home/someone/talks']);
  });

  it('is returned if the host cannot open it, with either path separator', async () => {
    const saved = new SavedFolder(undefined);
    saved.remember(file('C:\\Users\\someone\\a.zip'));
    expect(await unwrapAnswer(saved.show())).toEqual({ path: 'C:\\Users\\someone', opened: false });
  });

  it('is refused with an error before the first export', async () => {
    await expect(unwrapAnswer(new SavedFolder(undefined).show())).rejects.toThrow(
      'Nothing has been saved',
    );
  });
});
