import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkConfigFolder } from '../../../../../electron/hosts/desktop/begin-start.ts';
import { app } from '../../../../fakes/fake-electron.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

let config: string;

beforeEach(() => {
  config = workFolder()('李 "a" config');
  app.setPath.mockClear();
  vi.spyOn(app, 'getPath').mockImplementation((name) =>
    name === 'appData' ? config : join(config, 'Parley'),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Calls the newest listener for the end of the process, and no other. */
const endProcess = (): void => {
  const [last] = process.listeners('exit').slice(-1);
  if (last === undefined) return;
  process.off('exit', last);
  last(1);
};

describe('the folder of settings', () => {
  it('stays Electron’s folder if it is writable, and is created', () => {
    expect(checkConfigFolder()).toBeUndefined();
    expect(existsSync(join(config, 'Parley'))).toBe(true);
    expect(app.setPath).not.toHaveBeenCalled();
  });

  it('is reported if it cannot be created, and a temporary one is used', () => {
    // A file in its place prevents the folder even for root.
    writeFileSync(config, '');
    expect(checkConfigFolder()).toEqual({ kind: 'config', folder: config });
    const [name, other = ''] = app.setPath.mock.lastCall ?? [];
    expect(name).toBe('userData');
    expect(existsSync(other)).toBe(true);
    endProcess();
    expect(existsSync(other)).toBe(false);
  });

  it('is reported if Electron has none', () => {
    vi.spyOn(app, 'getPath').mockImplementation((name) => {
      if (name === 'userData') throw new Error("Failed to get 'userData' path");
      return config;
    });
    expect(checkConfigFolder()).toEqual({ kind: 'config', folder: config });
    endProcess();
  });
});
