import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { tightenFolder } from '../../electron/platform/files/state-folder.ts';
import { workFolder } from '../fakes/work-folder.ts';

const fileMode = (path: string): number => statSync(path).mode & 0o7777;

it('a state folder that others can read becomes private', (context) => {
  if (process.getuid === undefined) context.skip('This system has no file modes.');
  const at = workFolder();
  for (const [name, mode] of [
    ['open', 0o755],
    ['writable', 0o777],
    ['shut', 0o500],
  ] as const) {
    mkdirSync(at(name));
    chmodSync(at(name), mode);
    tightenFolder(at(name));
  }
  expect(['open', 'writable', 'shut'].map((name) => fileMode(at(name)))).toEqual([
    0o700, 0o700, 0o500,
  ]);
  mkdirSync(at('real'), { mode: 0o755 });
  symlinkSync(at('real'), at('link'));
  tightenFolder(at('link'));
  expect(fileMode(at('real'))).toBe(0o700);
  tightenFolder(at('not-there'));
});

it('a shared folder, another account’s folder and the home folder stay unchanged', (context) => {
  if (process.getuid === undefined) context.skip('This system has no file modes.');
  const at = workFolder();
  mkdirSync(at('tmp'));
  chmodSync(at('tmp'), 0o1777);
  tightenFolder(at('tmp'));
  mkdirSync(at('home'));
  chmodSync(at('home'), 0o755);
  vi.stubEnv('HOME', at('home'));
  tightenFolder(at('home'));
  vi.unstubAllEnvs();
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(4711);
  mkdirSync(at('others'));
  chmodSync(at('others'), 0o755);
  tightenFolder(at('others'));
  getuid.mockRestore();
  expect(['tmp', 'home', 'others'].map((name) => fileMode(at(name)))).toEqual([
    0o1777, 0o755, 0o755,
  ]);
});
