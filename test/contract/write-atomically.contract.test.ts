import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  removeAbandonedDrafts,
  writeAtomically,
} from '../../electron/platform/files/atomic-files.ts';
import { workFolder } from '../fakes/work-folder.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe('writeAtomically', () => {
  it('replaces a file’s content, and makes file and folder private', async () => {
    const at = workFolder();
    await writeAtomically(at('deep/file'), 'one');
    chmodSync(at('deep/file'), 0o644);
    await writeAtomically(at('deep/file'), Buffer.from('two'));
    expect(readFileSync(at('deep/file'), 'utf8')).toBe('two');
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect([mode(at('deep')), mode(at('deep/file'))]).toEqual([0o700, 0o600]);
    expect(readdirSync(at('deep'))).toEqual(['file']);
  });

  it('keeps the old file if it cannot be replaced, and leaves no draft', async () => {
    const at = workFolder();
    mkdirSync(at('file/inside'), { recursive: true });
    await expect(writeAtomically(at('file'), 'x')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(at('.'))).toEqual(['file']);
  });

  it('leaves a complete file and a removable draft when the process is killed', async () => {
    const at = workFolder();
    const length = 4_000_000;
    const killed = async (name: string, afterMs: number): Promise<string> => {
      const words = [here('sound/run-module.mjs'), here('files/keep-writing.ts')];
      const writer = spawn(process.execPath, [...words, at(name), String(length)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(writer.stdout, 'data');
      await wait(afterMs);
      writer.kill('SIGKILL');
      await once(writer, 'close');
      const text = readFileSync(at(name), 'utf8');
      return `${text.length} ${[...new Set(text)].join('')}`;
    };
    const names = ['one', 'three', 'two'];
    const found = await Promise.all(names.map((name, index) => killed(name, 7 * index)));
    expect(found.filter((text) => !/^4000000 [ab]$/.test(text))).toEqual([]);
    // The process is writing a draft almost all the time.
    expect(readdirSync(at('.')).length).toBeGreaterThan(names.length);
    await removeAbandonedDrafts(at('.'));
    expect(readdirSync(at('.'))).toEqual(names);
  });
});

describe('removeAbandonedDrafts', () => {
  it('removes drafts of ended processes only, and no other files', async () => {
    const at = workFolder();
    const ownDraft = `file.${process.pid}-1.draft`;
    const parentDraft = `file.${process.ppid}-1.draft`;
    // Process ids are never this high.
    for (const name of [ownDraft, parentDraft, 'file.99999999-1.draft', 'file.draft', 'file']) {
      writeFileSync(at(name), '');
    }
    await removeAbandonedDrafts(at('.'));
    expect(readdirSync(at('.')).toSorted()).toEqual(
      ['file', 'file.draft', ownDraft, parentDraft].toSorted(),
    );
    await removeAbandonedDrafts(at('not-there'));
    // Another program may have a killed process’s id.
    const yesterday = new Date(Date.now() - 86_400_000);
    utimesSync(at(parentDraft), yesterday, yesterday);
    await removeAbandonedDrafts(at('.'));
    expect(readdirSync(at('.')).toSorted()).toEqual(['file', 'file.draft', ownDraft].toSorted());
  });
});
