import { describe, expect, it, vi } from 'vitest';
import { startRefusal } from '../../../../../electron/hosts/desktop/start-arguments.ts';
import { showStartRefusal } from '../../../../../electron/hosts/desktop/system-dialogs.ts';
import { app, dialog } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const saidOnStderr = (): readonly string[] => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  return said;
};

describe('an unwritable settings folder', () => {
  it.each([
    [
      ['parley', '--unwritable-config=/home/李 a/.config'],
      { kind: 'config', folder: '/home/李 a/.config' },
    ],
    [['parley', '--hidden', 'parley://start'], undefined],
    [['parley', '--command', '--', 'talk', '--unwritable-config=/x'], undefined],
  ])('is read from %s', (argv, refusal) => {
    expect(startRefusal(argv)).toEqual(refusal);
  });

  it.each([
    ['en-GB', 'Parley cannot open, because it cannot write to /a b.'],
    ['zh-CN', 'Parley 无法打开：没有权限写入 /a b。'],
    ['xx-YY', 'Parley cannot open, because it cannot write to /a b.'],
  ])('is shown in a dialog in the language of %s and fails the start', async (locale, sentence) => {
    vi.spyOn(app, 'getLocale').mockReturnValue(locale);
    const said = saidOnStderr();
    expect(await showStartRefusal({ kind: 'config', folder: '/a b' })).toBe(1);
    expect(dialog.showMessageBox.mock.lastCall?.[0].message).toContain(sentence);
    expect(said.join('')).toContain(sentence);
  });
});

describe('an unavailable sandbox', () => {
  it.each([
    ['--sandbox-not-for-root', 'root', 'does not open for root'],
    ['--sandbox-refused', 'kernel', 'this system does not allow it a sandbox'],
  ] as const)('is read from %s, and shown', async (word, refused, sentence) => {
    expect(startRefusal(['parley', '--no-sandbox', word])).toEqual({ kind: 'sandbox', refused });
    expect(startRefusal(['parley', '--command', '--', 'talk', word])).toBeUndefined();
    const said = saidOnStderr();
    expect(await showStartRefusal({ kind: 'sandbox', refused })).toBe(1);
    expect(dialog.showMessageBox.mock.lastCall?.[0].message).toContain(sentence);
    expect(said.join('')).toContain(sentence);
  });
});
