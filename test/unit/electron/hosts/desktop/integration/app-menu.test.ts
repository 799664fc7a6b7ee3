import { describe, expect, it, vi } from 'vitest';
import {
  type AppMenuChoice,
  appMenuTemplate,
} from '../../../../../../electron/hosts/desktop/integration/app-menu.ts';
import { englishDesktop } from '../../../../../../shared/i18n/en/core-messages.ts';
import { chineseDesktop } from '../../../../../../shared/i18n/zh/core-messages.ts';

vi.mock('electron', () => import('../../../../../fakes/fake-electron.ts'));

type MenuItem = ReturnType<typeof appMenuTemplate>[number];

const none = (): void => undefined;

function menuOn(
  platform: NodeJS.Platform,
  isDevelopment = false,
  choose: (choice: AppMenuChoice) => void = none,
) {
  return appMenuTemplate(englishDesktop.appMenu, { platform, isDevelopment, choose });
}

const entries = (menu: readonly MenuItem[]): readonly MenuItem[] =>
  menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entries(item.submenu) : [])]);

const roles = (menu: readonly MenuItem[]) => entries(menu).flatMap(({ role }) => role ?? []);

const editing = ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectAll'];

describe.each(['linux', 'win32', 'darwin'] as const)('the menu on %s', (platform) => {
  it('has the roles for copy and paste and for windows', () => {
    expect(roles(menuOn(platform))).toEqual(expect.arrayContaining([...editing, 'close', 'quit']));
  });

  it('has a text of Parley for each entry, so that none is in Electron’s language', () => {
    const shown = entries(menuOn(platform)).filter(({ type }) => type !== 'separator');
    expect(shown.filter(({ label }) => label === undefined)).toEqual([]);
    expect(shown.length).toBeGreaterThan(20);
  });

  it('uses the usual shortcuts', () => {
    const keys = new Map(
      entries(menuOn(platform)).map((item) => [item.accelerator, item.id ?? item.role]),
    );
    expect(keys.get('CmdOrCtrl+N')).toBe('newChat');
    expect(keys.get('CmdOrCtrl+,')).toBe('settings');
    expect(keys.get('CmdOrCtrl+=')).toBe('zoomIn');
  });

  it('offers reload and developer tools only in development', () => {
    expect(roles(menuOn(platform))).not.toContain('toggleDevTools');
    expect(roles(menuOn(platform))).not.toContain('reload');
    expect(roles(menuOn(platform, true))).toContain('toggleDevTools');
  });

  it('reports the choice of each entry that is not a role', () => {
    const choices: string[] = [];
    const menu = menuOn(platform, false, (choice) => choices.push(choice));
    for (const { click } of entries(menu)) Reflect.apply(click ?? none, undefined, []);
    const all: readonly AppMenuChoice[] = [
      'about',
      'settings',
      'newChat',
      'talk',
      'chat',
      'history',
      'miniWindow',
      'guide',
      'report',
    ];
    expect(choices.toSorted()).toEqual(all.toSorted());
  });
});

it('each menu has its own mnemonic in each language, except on macOS', () => {
  for (const { appMenu } of [englishDesktop, chineseDesktop]) {
    const labels = (platform: NodeJS.Platform) =>
      appMenuTemplate(appMenu, { platform, isDevelopment: false, choose: none }).map(
        ({ label }) => label ?? '',
      );
    expect(labels('darwin').join('')).not.toContain('&');
    const marks = labels('linux').map((label) => /&(\w)/u.exec(label)?.[1]);
    expect(new Set(marks).size).toBe(5);
    expect(marks).not.toContain(undefined);
  }
});
