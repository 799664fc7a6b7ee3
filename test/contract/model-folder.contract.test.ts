import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ModelFiles } from '../../electron/model/model-files.ts';
import { codeOf, expectModel, fillFolder, ModelStage, readyState, total } from './model-stage.ts';

let stage: ModelStage;
let folder: string;
let model: ModelFiles;

beforeEach(async () => {
  stage = new ModelStage();
  await stage.begin();
  ({ folder } = stage);
  model = stage.open();
});

afterEach(() => stage.end());

describe('a model folder that the user chooses', () => {
  it('is refused with the names of its missing files', async () => {
    const mine = stage.work('mine');
    fillFolder(mine);
    rmSync(join(mine, 'tts/voice.gguf'));
    expect(await model.useFolder(mine)).toMatchObject({
      error: { code: 'modelFilesMissing', facts: { folder: mine, names: 'tts/voice.gguf' } },
    });
  });

  it('is used after one verification, even if it is read-only and has other files', async () => {
    const mine = stage.work('mine');
    fillFolder(mine);
    writeFileSync(join(mine, 'notes.txt'), 'x');
    chmodSync(mine, 0o500);
    onTestFinished(() => {
      chmodSync(mine, 0o700);
    });
    expect(await model.useFolder(mine)).toEqual({ ok: true, value: readyState(mine, true) });
    expect(await stage.open({ folder: mine }).examine()).toEqual(readyState(mine, true));
    expect(codeOf(await model.remove())).toBe('modelFolderForeign');
    expectModel(mine);
  });

  it.each<[string, (mine: string) => void, object]>([
    [
      'has an empty file',
      (mine) => {
        truncateSync(join(mine, 'tts/voice.gguf'), 0);
      },
      { code: 'modelFileSize', facts: { name: 'tts/voice.gguf' } },
    ],
    [
      'has a short file',
      (mine) => {
        truncateSync(join(mine, 'language.gguf'), 2_999_999);
      },
      { code: 'modelFileSize', facts: { name: 'language.gguf' } },
    ],
    [
      'has a changed file',
      (mine) => {
        writeFileSync(join(mine, 'language.gguf'), randomBytes(3_000_000));
      },
      { code: 'modelFileChanged', facts: { name: 'language.gguf' } },
    ],
  ])(
    'is refused with the name of the file if it %s, and never changed',
    async (_what, spoil, error) => {
      const mine = stage.work('mine');
      fillFolder(mine);
      spoil(mine);
      expect(await model.useFolder(mine)).toMatchObject({ ok: false, error });
      expect(model.folder).toBe(folder);
      await model.setFolder(mine);
      expect(await model.download()).toMatchObject({ ok: false, error });
      expect(stage.first.requests).toEqual([]);
    },
  );
});

it('verification finds a file that changed under its old size and time', async () => {
  await model.download();
  const path = join(folder, 'tts/voice.gguf');
  const { mtimeMs } = statSync(path);
  writeFileSync(path, randomBytes(200_000));
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  expect(await model.examine()).toEqual(readyState(folder));
  expect(await model.verify()).toMatchObject({ error: { code: 'modelFileChanged' } });
  expect(codeOf(await model.ready())).toBe('modelFileChanged');
  expect((await model.download()).ok).toBe(true);
  expect(codeOf(await model.verify())).toBe('ok');
});

it('removal deletes the model’s files and leaves others', async () => {
  await model.download();
  writeFileSync(join(folder, 'tts/voice.gguf.part'), 'rest');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(await model.remove()).toEqual({ ok: true, value: total + 4 });
  expect(readdirSync(folder)).toEqual(['notes.txt']);
  expect(model.state).toEqual({ kind: 'missing', bytes: 0, totalBytes: total });
});

it('removal deletes a chosen folder that Parley itself has filled', async () => {
  const other = stage.work('other');
  model = stage.open({ folder: other });
  expect(await model.download()).toEqual({ ok: true, value: readyState(other) });
  expect((await model.remove()).ok).toBe(true);
  expect(existsSync(other)).toBe(false);
});
