import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, vi } from 'vitest';
import { makeScratchFolder, sweepScratch } from '../../electron/platform/files/scratch-folder.ts';
import { parley } from '../fakes/fake-terminal.ts';
import { workFolder } from '../fakes/work-folder.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
let at: (name: string) => string;

beforeEach(() => {
  at = workFolder();
  vi.stubEnv('PARLEY_STATE_DIR', at('state'));
});

async function startWork(draft: string) {
  const words = [here('sound/run-module.mjs'), here('files/keep-scratch.ts'), draft];
  const worker = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  worker.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('\n')) await once(worker.stdout, 'data');
  return { worker, folder: said.trim() };
}

it('a sweep removes the scratch folder of a killed Parley, not of a running one', async () => {
  const draft = at('.talk.wav.1-1.draft');
  const { worker, folder } = await startWork(draft);
  expect(dirname(folder)).toBe(at('state/scratch'));
  expect(statSync(folder).mode & 0o777).toBe(0o700);

  await sweepScratch();
  expect([existsSync(folder), existsSync(draft)]).toEqual([true, true]);

  worker.kill('SIGKILL');
  await once(worker, 'close');
  await sweepScratch();
  expect([existsSync(folder), existsSync(draft)]).toEqual([false, false]);
  expect(readdirSync(at('state/scratch'))).toEqual([]);
});

it('every command starts with a sweep of scratch folders', async () => {
  const { worker, folder } = await startWork(at('.talk.wav.1-1.draft'));
  worker.kill('SIGKILL');
  await once(worker, 'close');
  expect((await parley('history')).code).toBe(0);
  expect(existsSync(folder)).toBe(false);
});

it('a sweep keeps its own folders, not those of an earlier process with its id', async () => {
  const own = await makeScratchFolder('tape');
  const abandoned = join(dirname(own.path), `${process.pid}-tape-abcdef`);
  mkdirSync(abandoned);
  await sweepScratch();
  expect([existsSync(own.path), existsSync(abandoned)]).toEqual([true, false]);
  await own.remove();
  expect(existsSync(own.path)).toBe(false);
});

it('a sweep leaves folders and files of other programs alone', async () => {
  mkdirSync(at('state/scratch/something'), { recursive: true });
  const mine = at('letter.txt');
  writeFileSync(mine, 'mine');
  mkdirSync(at('state/scratch/999999999-draft-abcdef'));
  writeFileSync(at('state/scratch/999999999-draft-abcdef/draft'), mine);
  await sweepScratch();
  expect(readdirSync(at('state/scratch'))).toEqual(['something']);
  expect(existsSync(mine)).toBe(true);
});
