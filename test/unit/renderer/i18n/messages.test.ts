import { describe, expect, it } from 'vitest';
import { chineseMessages } from '../../../../renderer/i18n/chinese-messages.ts';
import { chooseLanguage } from '../../../../renderer/i18n/choose-language.ts';
import { englishMessages } from '../../../../renderer/i18n/english-messages.ts';
import { createI18n } from '../../../../renderer/i18n/create-i18n.ts';

/** Each text with its way through the tree. */
function textsOf(tree: object, way = ''): readonly (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${way}${key}`, value] as const]
      : textsOf(value as object, `${way}${key}.`),
  );
}

const placesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).toSorted();

describe('the words', () => {
  it('are all there in both languages, with the same places to fill in', () => {
    const others = new Map(textsOf(chineseMessages));
    for (const [way, text] of textsOf(englishMessages)) {
      expect(others.get(way)?.trim(), way).not.toBe('');
      expect(placesIn(others.get(way) ?? ''), way).toEqual(placesIn(text));
    }
    expect(others.size).toBe(textsOf(englishMessages).length);
  });

  it('are translated: nothing but names is the same', () => {
    const others = new Map(textsOf(chineseMessages));
    const same = textsOf(englishMessages)
      .filter(([way, text]) => others.get(way) === text)
      .map(([way]) => way);
    expect(same).toEqual(['shell.languages.en', 'shell.languages.zh']);
  });

  it('come in the chosen language at once, and change with it', async () => {
    const words = createI18n('zh');
    expect(words.t('talk.start')).toBe('开始对话');
    await words.changeLanguage('en');
    expect(words.t('talk.left', { time: '1:05' })).toBe('1:05 left');
  });

  it('are in the first language that Parley speaks', () => {
    expect(chooseLanguage(['fr-FR', 'zh-TW', 'en'])).toBe('zh');
    expect(chooseLanguage(['en-GB', 'zh'])).toBe('en');
    expect(chooseLanguage(['fr', 'zhx'])).toBe('en');
  });
});
