import { expect, it } from 'vitest';
import {
  createI18n,
  languageChoices,
  switchLanguage,
} from '../../../../renderer/i18n/page-language.ts';

it('texts follow the chosen language', async () => {
  const words = await createI18n('zh');
  expect(words.t('talk.start')).toBe('开始通话');
  expect(words.hasResourceBundle('en', 'translation')).toBe(false);
  await switchLanguage(words, 'en');
  expect(words.language).toBe('en');
  expect(words.t('talk.left', { time: '1:05' })).toBe('1:05 left');
});

it('an outdated language switch is dropped after its texts loaded', async () => {
  const words = await createI18n('zh');
  let wanted = true;
  const switching = switchLanguage(words, 'en', () => wanted);
  wanted = false;
  await switching;
  expect(words.language).toBe('zh');
});

it('languages are listed under their own names', async () => {
  expect(languageChoices((await createI18n('zh')).t)).toEqual({
    system: '跟随系统',
    en: 'English',
    zh: '中文',
  });
});
