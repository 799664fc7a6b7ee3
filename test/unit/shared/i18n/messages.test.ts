import { describe, expect, it } from 'vitest';
import { englishCore } from '../../../../shared/i18n/en/core-messages.ts';
import { englishPackaging } from '../../../../shared/i18n/en/packaging.ts';
import { englishPage } from '../../../../shared/i18n/en/page-messages.ts';
import { languageIds, languages, resolveLanguage } from '../../../../shared/i18n/languages.ts';
import { fillMessage } from '../../../../shared/i18n/messages.ts';
import { placesIn, textsOf } from './texts-of.ts';

const english = textsOf([englishPage, englishCore, englishPackaging]);
const others = languageIds.filter((id) => id !== 'en');

describe.each(others)('the texts of %s', (id) => {
  const load = async () => {
    // Of a package, and read when one is made; the product has no use for it.
    const tables = (await import(`../../../../shared/i18n/${id}/packaging.ts`)) as object;
    const { page, core } = languages[id];
    return textsOf([await page(), await core(), Object.values(tables)[0]]);
  };

  it('are all there, with the same places to fill in', async () => {
    const texts = new Map(await load());
    for (const [way, text] of english) {
      expect(texts.get(way)?.trim(), way).not.toBe('');
      expect(placesIn(texts.get(way) ?? ''), way).toEqual(placesIn(text));
    }
    expect(texts.size).toBe(english.length);
  });

  it('are translated: not one is the same', async () => {
    const texts = new Map(await load());
    expect(english.filter(([way, text]) => texts.get(way) === text)).toEqual([]);
  });
});

describe('a language', () => {
  it.each(languageIds)('%s is one by which numbers are written, and has a name', (id) => {
    const { ownName, tag, locales } = languages[id];
    for (const one of [id, tag]) expect(Intl.NumberFormat.supportedLocalesOf(one)).toEqual([one]);
    expect(ownName).not.toBe('');
    expect(locales.test(tag)).toBe(true);
  });

  it('is the chosen one, or the first of the system’s that Parley is written in', () => {
    expect(resolveLanguage('zh', ['en'])).toBe('zh');
    expect(resolveLanguage('system', ['fr-FR', 'zh-TW', 'en'])).toBe('zh');
    expect(resolveLanguage('system', ['en-GB', 'zh'])).toBe('en');
    expect(resolveLanguage('system', ['fr', 'zhx'])).toBe('en');
    expect(resolveLanguage('system', [])).toBe('en');
  });
});

it('a fact is said as it is, and a place without one stays', () => {
  expect(fillMessage('{{a}} of {{b}}, {{c}}', { a: '{{b}} $&', b: 7 })).toBe(
    '{{b}} $& of 7, {{c}}',
  );
});
