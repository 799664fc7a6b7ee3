import { createInstance } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, it } from 'vitest';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolCallView } from '../../renderer/chat/turns/tool-call.tsx';
import { Markdown } from '../../renderer/markdown/markdown.tsx';
import { toCaptionParts, CaptionText } from '../../renderer/talk/captions/caption-text.tsx';
import { englishPage } from '../../shared/i18n/en/page-messages.ts';
import { backtrackingTexts, breakingTexts, jsonTexts, shareOfTexts } from './hostile-texts.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { createSaveTargets } from '../../electron/platform/files/scratch-folder.ts';
import { createServerFactsFile } from '../../electron/platform/files/server-facts-file.ts';
import { unpackTape } from '../../electron/platform/files/zip.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { toFileName } from '../../electron/recordings/export/export-controller.ts';
import { openTape } from '../../electron/recordings/tape/tape-archive.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { putStoredTape } from '../fixtures/stored-tape.ts';
import { feed } from './entry-point.ts';

const titles = [...breakingTexts, ...jsonTexts, ...backtrackingTexts].filter(
  () => Math.random() < shareOfTexts,
);
const texts = titles.map((text) => text.slice(0, 5000));
const actions: Parameters<typeof Markdown>[0]['actions'] = {
  openLink: () => undefined,
  copyCode: () => undefined,
  labels: { copy: 'Copy', copied: 'Copied', picture: 'Picture' },
};

const words = createInstance();
await words.init({ lng: 'en', resources: { en: { translation: englishPage } } });

const markupOf = (shown: ReactNode): string =>
  renderToStaticMarkup(<I18nextProvider i18n={words}>{shown}</I18nextProvider>);

/** The markup contains only Parley's own elements, no handler, and only web and mail links. */
function expectHarmless(markup: string, text: string): void {
  const elements = [...markup.matchAll(/<([a-z][\w-]*)([^>]*)>/gu)];
  for (const [whole, name = '', facts = ''] of elements) {
    expect(ownElements.has(name), `${whole} of ${text}`).toBe(true);
    expect(/\son\w+=|style=|srcdoc=|src=/u.test(facts.replaceAll(/"[^"]*"/gu, '""')), whole).toBe(
      false,
    );
    const [, href] = /\shref="([^"]*)"/u.exec(facts) ?? [];
    expect(href === undefined || /^(?:https?|mailto):/u.test(href), whole).toBe(true);
  }
}

const ownElements = new Set(
  'div p span s a bdi figure figcaption strong em del code pre button br hr blockquote ul ol li input h1 h2 h3 h4 h5 h6 table thead tbody tr th td sup section'.split(
    ' ',
  ),
);

it('hostile text appears in a caption as plain text', () => {
  for (const text of texts) {
    const half = Math.floor(text.length / 2);
    for (const cutFrom of [undefined, half]) {
      const turn = { turn: 1, text, heard: Math.floor(half / 2), cutFrom, settled: false };
      const markup = markupOf(<CaptionText {...toCaptionParts(turn)} />);
      expectHarmless(markup, text);
      const [said] = markup.replaceAll(/<[^>]*>/gu, '').split('&');
      if (cutFrom === undefined) expect(text.startsWith(said ?? '')).toBe(true);
    }
  }
});

it('hostile text appears in an answer as harmless Markdown', () => {
  for (const text of texts)
    expectHarmless(markupOf(<Markdown text={text} actions={actions} />), text);
});

it('the question about a call shows characters that are hidden or that reorder its arguments', () => {
  const args = JSON.stringify({ 'pa\u200bth': '/home/\u202etxt.exe' });
  const from = { id: '1', at: 0, callName: 'read', tool: 'read', server: 'it' };
  const call = { ...from, args, state: 'asking', isRisky: true, response: '' } as const;
  const markup = markupOf(<ToolCallView call={call} onDecide={() => undefined} />);
  expect(markup).toContain('>pa\\u200bth<');
  expect(markup).toContain('>/home/\\u202etxt.exe<');
});

it('an export is saved under any title, in the chosen folder only', async () => {
  const at = workFolder();
  mkdirSync(at('chosen'));
  const save = createSaveTargets({
    kind: 'dialog',
    choose: (name) => Promise.resolve(join(at('chosen'), name)),
    chooseFolder: () => Promise.resolve(undefined),
  });
  for (const title of titles) {
    const name = toFileName(title, 'md');
    const chosen = await save(name);
    const place = chosen.ok ? chosen.value : undefined;
    if (place === undefined) throw new Error('No place was chosen.');
    writeFileSync(place.draft, title);
    expect(await place.commit(), title.slice(0, 300)).toMatchObject({ ok: true });
    expect(readFileSync(place.path).equals(Buffer.from(title)), title.slice(0, 300)).toBe(true);
    expect(readdirSync(at(''))).toEqual(['chosen']);
  }
  expect(readdirSync(at('chosen')).length).toBeGreaterThan(titles.length / 3);
  expect(readdirSync(at('chosen')).filter((name) => name.endsWith('.draft'))).toEqual([]);
});

it('a tape opens from a folder of any name', async () => {
  const at = workFolder();
  putStoredTape('chat', at('tape'));
  let folder = at('tape');
  for (const title of titles.slice(0, 600)) {
    const next = at(toFileName(title, 'tape'));
    if (next !== folder) renameSync(folder, next);
    folder = next;
    const tape = await openTape(folder, { files: createFiles(), base64: bufferBase64 });
    expect(tape, title).toMatchObject({ ok: true });
    if (tape.ok) tape.value.close();
  }
});

it('a missing path is refused with a message', async () => {
  const files = createFiles();
  const entryPoint = {
    name: 'paths',
    samples: [],
    open: async (path: string) => {
      const opened = files.openToRead(path);
      if (opened.ok) opened.value.close();
      const read = await files.readText(path, 1000);
      return [opened.ok, opened, read, await unpackTape(path), await files.freeSpace(path)];
    },
  };
  for (const path of titles)
    expect(await feed(entryPoint, path.slice(0, 1500)), path.slice(0, 300)).toBe('refused');
});

it('the server memory keeps any address, and survives a corrupted file', async () => {
  const at = workFolder();
  mkdirSync(at('state'));
  for (const text of [...jsonTexts, ...breakingTexts].filter(({ length }) => length < 2000)) {
    writeFileSync(at('state/servers.json'), text);
    const memory = createServerFactsFile(at('state'));
    expect(memory.recall(`wss://${text}`)).toEqual({});
  }
  const memory = createServerFactsFile(at('state'));
  const last = breakingTexts.slice(-50);
  for (const text of last)
    memory.remember(`wss://x/${encodeURIComponent(text)}`, { dialect: 'legacy' });
  await memory.settled();
  const again = createServerFactsFile(at('state'));
  for (const text of last)
    expect(again.recall(`wss://x/${encodeURIComponent(text)}`)).toEqual({ dialect: 'legacy' });
});
