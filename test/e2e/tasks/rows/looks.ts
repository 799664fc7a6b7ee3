import { expect } from '@playwright/test';
import { languages } from '../../../../shared/i18n/languages.ts';
import { readSettingsFromCore } from '../../fixtures/pages/read-core.ts';
import { ask, click, systemKey, type Task, type TaskWindow, type TaskWords } from '../task.ts';

export function lookTasks(words: TaskWords): readonly Task[] {
  const { settings, shell } = words.page;
  const { choices } = settings;
  const appearance = click('button', words.page.settings.sections.appearance);
  const dark = ({ page }: TaskWindow) =>
    expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const other = languages[words.language === 'en' ? 'zh' : 'en'];
  return [
    {
      id: 'look-dark',
      wish: 'It is too bright here.',
      begins: 'idle',
      settings: { appearance: { theme: 'light' } },
      actions: [appearance, click('menuitemradio', choices.appearance.theme.dark)],
      verify: dark,
    },
    {
      id: 'look-dark-by-word',
      wish: 'Dark mode?',
      begins: 'idle',
      settings: { appearance: { theme: 'light' } },
      actions: ask(words, { en: 'dark mode', zh: '深色' }),
      verify: dark,
    },
    {
      id: 'look-language',
      wish: 'My mother would like it in her language.',
      begins: 'idle',
      actions: [appearance, click('menuitemradio', other.ownName)],
      verify: ({ page }) => expect(page.locator('html')).toHaveAttribute('lang', other.tag),
    },
    {
      id: 'look-captions-larger',
      wish: 'I read the captions from the sofa.',
      begins: 'talk',
      actions: [appearance, click('menuitemradio', shell.captionSizes[50])],
      verify: ({ page }) =>
        expect.poll(() => readSettingsFromCore(page)).toMatchObject({ captions: { size: 50 } }),
    },
    {
      id: 'look-captions-stronger',
      wish: 'The words that are coming are too faint.',
      begins: 'talk',
      actions: [appearance, click('menuitemradio', choices.captions.contrast.high)],
      verify: ({ page }) =>
        expect
          .poll(() => readSettingsFromCore(page))
          .toMatchObject({ captions: { contrast: 'high' } }),
    },
    {
      id: 'look-text-larger',
      wish: 'I need bigger text everywhere.',
      begins: 'idle',
      actions: ask(words, { en: 'bigger text', zh: '大字' }),
      verify: ({ page }) =>
        expect
          .poll(() => readSettingsFromCore(page))
          .toMatchObject({ appearance: { textSize: 110 } }),
    },
    {
      id: 'look-zoom',
      wish: 'Larger, as in every program.',
      begins: 'idle',
      actions: [systemKey('ctrl+plus')],
      verify: async ({ electron }) => {
        const zoom = () =>
          electron.evaluate(({ BrowserWindow }) =>
            Math.max(
              ...BrowserWindow.getAllWindows().map(({ webContents }) =>
                webContents.getZoomFactor(),
              ),
            ),
          );
        await expect.poll(zoom).toBeGreaterThan(1.05);
      },
    },
  ];
}
