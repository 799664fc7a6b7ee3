import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { createSaveTargets } from '../../electron/platform/files/scratch-folder.ts';
import { createServerFactsFile } from '../../electron/platform/files/server-facts-file.ts';
import { unpackTape } from '../../electron/platform/files/zip.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { toFileName } from '../../electron/recordings/export/export-controller.ts';
import { openTape } from '../../electron/recordings/tape/tape-archive.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { putStoredTape } from '../fixtures/stored-tape.ts';
import { backtrackingTexts, jsonTexts, breakingTexts } from './hostile-texts.ts';
import { pass } from './inlet.ts';

const titles = [...breakingTexts, ...jsonTexts, ...backtrackingTexts];

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
    const place = await save(name);
    if (place === undefined) throw new Error('No place was chosen.');
    writeFileSync(place.draft, title);
    expect(await place.commit(), title.slice(0, 300)).toMatchObject({ ok: true });
    expect(readFileSync(place.path).equals(Buffer.from(title)), title.slice(0, 300)).toBe(true);
    expect(readdirSync(at(''))).toEqual(['chosen']);
  }
  expect(readdirSync(at('chosen')).length).toBeGreaterThan(400);
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
  const inlet = {
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
    expect(await pass(inlet, path.slice(0, 1500)), path.slice(0, 300)).toBe('refused');
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
