import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trayModel } from '../../../../electron/hosts/desktop/tray-items.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { englishCore, englishPackaging } from '../../../../shared/i18n/en/core-messages.ts';
import { englishPage } from '../../../../shared/i18n/en/page-messages.ts';
import { languageIds, languages, resolveLanguage } from '../../../../shared/i18n/languages.ts';
import { type CoreMessages, fillMessage } from '../../../../shared/i18n/messages.ts';
import { idleTalkView } from '../../../../shared/talk/talk-view.ts';
import { pseudoTexts, placeholdersIn, textsOf } from './message-texts.ts';

const english = textsOf([englishPage, englishCore, englishPackaging]);
const others = languageIds.filter((id) => id !== 'en');

/** Keyboards print these names in every language. */
const isPrintedOnKey = (path: string): boolean =>
  /^0\.keys\.(?:Control|Alt|Shift|Meta)$/u.test(path);

/** Only numbers and a unit, which all languages write alike. */
const hasNoWords = (text: string): boolean =>
  !/\p{L}/u.test(text.replaceAll(/\{\{\w+\}\}|\bKB\b/gu, ''));

describe.each(others)('the texts of %s', (id) => {
  const load = async () => {
    // Only packaging reads these texts.
    const tables = (await import(`../../../../shared/i18n/${id}/core-messages.ts`)) as object;
    const { page, core } = languages[id];
    return textsOf([
      await page(),
      await core(),
      Object.entries(tables).find(([name]) => name.endsWith('Packaging'))?.[1],
    ]);
  };

  it('are complete, with the same placeholders', async () => {
    const texts = new Map(await load());
    for (const [key, text] of english) {
      expect(texts.get(key)?.trim(), key).not.toBe('');
      expect(placeholdersIn(texts.get(key) ?? ''), key).toEqual(placeholdersIn(text));
    }
    expect(texts.size).toBe(english.length);
  });

  it('are all translated', async () => {
    const texts = new Map(await load());
    const same = english.filter(
      ([key, text]) => texts.get(key) === text && !isPrintedOnKey(key) && !hasNoWords(text),
    );
    expect(same).toEqual([]);
  });
});

describe('a language', () => {
  it.each(languageIds)('has a name and is supported by Intl: %s', (id) => {
    const { ownName, tag, locales } = languages[id];
    for (const locale of [id, tag])
      expect(Intl.NumberFormat.supportedLocalesOf(locale)).toEqual([locale]);
    expect(ownName).not.toBe('');
    expect(locales.test(tag)).toBe(true);
  });

  it('is the chosen one, or the first supported language of the system, or else English', () => {
    expect(resolveLanguage('zh', ['en'])).toBe('zh');
    expect(resolveLanguage('system', ['fr-FR', 'zh-TW', 'en'])).toBe('zh');
    expect(resolveLanguage('system', ['en-GB', 'zh'])).toBe('en');
    expect(resolveLanguage('system', ['fr', 'zhx'])).toBe('en');
    expect(resolveLanguage('system', [])).toBe('en');
  });
});

it('fillMessage fills placeholders verbatim, and keeps unknown ones', () => {
  expect(fillMessage('{{a}} of {{b}}, {{c}}', { a: '{{b}} $&', b: 7 })).toBe(
    '{{b}} $& of 7, {{c}}',
  );
});

const plain = /[A-Za-z]/;

it('the pseudo language leaves no untranslated text in the tray', () => {
  const { desktop } = pseudoTexts(englishCore) as CoreMessages;
  const states = [
    { phase: 'idle' },
    { phase: 'live' },
    { phase: 'queued', position: 3, length: 7, etaSeconds: 9 },
    {
      phase: 'ended',
      ending: { error: appError('disconnected'), by: 'server', orderly: true },
      offer: 'continue',
    },
  ] as const;
  for (const state of states) {
    const { status, menu } = trayModel({ ...idleTalkView, state }, desktop);
    for (const label of [status, ...menu.flat().map((item) => item.label)]) {
      expect(label).toMatch(/^\[/);
      expect(label).not.toMatch(plain);
    }
  }
});

const ids = languageIds.join('|');

/** A language code as a string, as a key, or at the start of a pattern. */
const languageCode = new RegExp(
  `(['"\`])(?:${ids})(?:-\\w+)?\\1|\\b(?:${ids}):|\\^\\(?(?:${ids})\\b`,
  'u',
);

const linesWithCode = (text: string): readonly string[] =>
  text.split('\n').filter((line) => languageCode.test(line));

const sources = ['electron', 'renderer', 'shared'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(room, file)),
);

it('language codes appear only in shared/i18n', () => {
  const found: string[] = [];
  for (const file of sources) {
    if (file.startsWith(join('shared', 'i18n'))) continue;
    found.push(
      ...linesWithCode(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
  }
  expect(sources.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
