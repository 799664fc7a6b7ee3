import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSpecs } from '../../../electron/hosts/terminal/command-table.ts';
import { guidePage } from '../../../scripts/lib/guide-pages.mjs';
import { languageIds, languages } from '../../../shared/i18n/languages.ts';
import { textsOf } from '../../unit/shared/i18n/message-texts.ts';

const guide = (id: string): string =>
  readFileSync(resolve(import.meta.dirname, `../../../docs/guide/${id}.md`), 'utf8');

const headings = (text: string): number => text.match(/^#+ /gmu)?.length ?? 0;
const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, one = '']) => one);

describe.each(languageIds)('the guide in %s', (id) => {
  const text = guide(id);

  it('uses the labels of the screen', async () => {
    const { page, core } = languages[id];
    const [pageTexts, coreTexts] = await Promise.all([page(), core()]);
    // For a value that the window fills in, such as a version, the guide writes "…".
    const shown = new Set(
      textsOf([pageTexts, coreTexts]).map(([, one]) => one.replaceAll(/\{\{\w+\}\}/gu, '…')),
    );
    const named = found(text, /\*\*([^*]+)\*\*/gu);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !shown.has(one))).toEqual([]);
  });

  it('names existing commands', async () => {
    const { own, remote } = await loadSpecs();
    const commands = new Set([...own, ...remote].map(({ name }) => name));
    const named = found(text, /`parley ([a-z]+)/gu);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((one) => !commands.has(one))).toEqual([]);
  });

  it('has the same parts in each language', () => {
    expect(headings(text)).toBe(headings(guide('en')));
    const commands = (page: string) => new Set(found(page, /`(parley [^`"]+)/gu));
    expect(commands(text.replaceAll('名称`', 'NAME`'))).toEqual(commands(guide('en')));
  });

  it('has an existing, described picture for each part', () => {
    const pictures = [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/gu)];
    expect(pictures.length).toBe(text.match(/^## /gmu)?.length);
    for (const [, alt, file = ''] of pictures) {
      expect(alt).not.toBe('');
      expect(existsSync(resolve(import.meta.dirname, '../../../docs/guide', file)), file).toBe(
        true,
      );
    }
  });

  it('links to its own headings', () => {
    const anchors = new Set(found(guidePage(text, id), /<h[23] id="([^"]+)">/gu));
    const linked = found(text, /\]\(#([^)]+)\)/gu);
    expect(linked.length).toBeGreaterThan(3);
    expect(linked.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });

  it('is also a page made of the same text', () => {
    const page = resolve(import.meta.dirname, `../../../docs/guide/${id}.html`);
    // `npm run screens -- guide` rewrites it.
    expect(readFileSync(page, 'utf8')).toBe(guidePage(text, id));
  });
});
