import { expect } from '@playwright/test';
import { windows } from '../../fixtures/pages/app-windows.ts';
import {
  readControlsFromCore,
  readSettingsFromCore,
  talkPhase,
} from '../../fixtures/pages/read-core.ts';
import { ask, click, key, systemKey, type Task, type TaskWords } from '../task.ts';

export function aroundTasks(words: TaskWords): readonly Task[] {
  const { buttons, history, mini, report, settings, talk } = words.page;
  const { rows } = settings;
  const { desktop } = words;
  const inMini = { mini: true } as const;
  // A narrow window lacks the button; the command is always there.
  const openMini = ask(words, { en: 'mini window', zh: '小窗' });
  return [
    {
      id: 'privacy-record',
      wish: 'Record what we say.',
      begins: 'idle',
      actions: [...ask(words, { en: 'record talks', zh: '录音' }), key('Space')],
      verify: ({ page }) =>
        expect
          .poll(() => readSettingsFromCore(page))
          .toMatchObject({ privacy: { keepTapes: true } }),
    },
    {
      id: 'privacy-keep-nothing',
      wish: 'Never keep what I say.',
      begins: 'idle',
      actions: [
        ...ask(words, { en: 'keep the text of talks', zh: '保留通话的文字' }),
        click('radio', settings.choices.privacy.keepTalks.no),
      ],
      verify: ({ page }) =>
        expect
          .poll(() => readSettingsFromCore(page))
          .toMatchObject({ privacy: { keepTalks: 'no' } }),
    },
    {
      id: 'privacy-what-is-kept',
      wish: 'What does it know of me on this computer?',
      begins: 'idle',
      actions: ask(words, { en: 'stored data', zh: '数据' }),
      verify: async ({ page }) => {
        const rows = page.getByRole('main').getByRole('listitem');
        const chats = rows.filter({ hasText: settings.privacy.kinds.chats }).first();
        await expect(chats).toBeInViewport();
      },
    },
    {
      id: 'privacy-delete-all',
      wish: 'Delete everything, I am giving the computer away.',
      begins: 'idle',
      actions: ask(words, { en: 'delete everything', zh: '全部删除' }),
      // Stops before deleting, because later tasks need the data.
      verify: ({ page }) =>
        expect(
          page.getByRole('dialog').getByRole('button', { name: settings.privacy.yes }),
        ).toBeVisible(),
    },
    {
      id: 'help-report',
      wish: 'Something is wrong: whom do I tell?',
      begins: 'idle',
      actions: [
        ...ask(words, { en: 'report a problem', zh: '报告问题' }),
        click('button', buttons.saveAs),
      ],
      verify: ({ page }) => expect(page.getByText(report.unsent)).toBeVisible(),
    },
    {
      id: 'help-version',
      wish: 'Which version is this?',
      begins: 'idle',
      actions: ask(words, { en: 'version', zh: '版本' }),
      verify: ({ page }) =>
        expect(page.getByRole('heading', { level: 1 })).toContainText(/\d+\.\d+\.\d+/u),
    },
    {
      id: 'help-by-word',
      wish: 'Help?',
      begins: 'idle',
      actions: ask(words, { en: 'help', zh: '帮助' }),
      verify: ({ page }) =>
        expect(page.getByRole('dialog', { name: rows.keys.shortcuts.name })).toBeVisible(),
    },
    {
      id: 'help-inspector',
      wish: 'What goes over the wire?',
      begins: 'talk',
      actions: [key('Control+i')],
      verify: ({ page }) =>
        expect(page.getByRole('complementary', { name: rows.keys.inspector.name })).toBeVisible(),
    },
    {
      id: 'window-mini',
      wish: 'Small, in the corner, while I cook.',
      begins: 'talk',
      actions: openMini,
      verify: async (window) => {
        const page = await window.mini();
        await expect(page.getByRole('status').first()).toHaveText(talk.phases.live);
      },
    },
    {
      id: 'window-mini-mute',
      wish: 'Mute it in the small one.',
      begins: 'talk',
      actions: [...openMini, click('button', rows.keys.mute.name, inMini)],
      verify: ({ page }) =>
        expect.poll(() => readControlsFromCore(page)).toMatchObject({ muted: true }),
    },
    {
      id: 'window-mini-back',
      wish: 'Large again.',
      begins: 'talk',
      actions: [...openMini, click('button', mini.expand, inMini)],
      verify: async ({ electron }) => {
        const inFront = () =>
          electron.evaluate(
            ({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.webContents.getURL() ?? 'mini',
          );
        await expect.poll(inFront).not.toContain('mini');
      },
    },
    {
      id: 'window-mini-end',
      wish: 'End it from there.',
      begins: 'talk',
      actions: [...openMini, click('button', talk.end, inMini)],
      verify: ({ page }) => expect.poll(() => talkPhase(page)).toBe('ended'),
    },
    {
      id: 'tray-start',
      wish: 'Talk, without looking for the window.',
      begins: 'idle',
      actions: [{ do: 'trayMenu' }, { do: 'trayItem', label: desktop.start }],
      verify: ({ page }) => expect.poll(() => talkPhase(page)).toBe('live'),
    },
    {
      id: 'tray-mute',
      wish: 'Mute, I am in my mail.',
      begins: 'talk',
      actions: [{ do: 'trayMenu' }, { do: 'trayItem', label: desktop.mute }],
      verify: ({ page }) =>
        expect.poll(() => readControlsFromCore(page)).toMatchObject({ muted: true }),
    },
    {
      id: 'tray-back',
      wish: 'I have closed the window, where is it?',
      begins: 'idle',
      actions: [systemKey('alt+F4'), { do: 'trayClick' }],
      verify: async ({ electron }) => {
        await expect.poll(() => windows(electron)).toEqual(['shown']);
      },
    },
    {
      id: 'desktop-autostart',
      wish: 'It should be there when I switch the computer on.',
      begins: 'idle',
      actions: [...ask(words, { en: 'start at login', zh: '开机启动' }), key('Space')],
      verify: ({ page }) =>
        expect
          .poll(() => readSettingsFromCore(page))
          .toMatchObject({ desktop: { autostart: true } }),
    },
    {
      id: 'history-privacy',
      wish: 'Turn Incognito on by its name.',
      begins: 'idle',
      actions: ask(words, { en: 'incognito', zh: '无痕' }),
      verify: ({ page }) =>
        expect(page.getByRole('switch', { name: history.incognito.name })).toBeChecked(),
    },
  ];
}
