import { failure } from '../../../../shared/errors/app-error.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openIpc } from '../../../../electron/ipc/window-ipc.ts';
import { ipcMain } from '../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../fakes/fake-electron.ts'));

type Ask = (event: object, name: string) => Promise<unknown>;

beforeEach(() => {
  vi.clearAllMocks();
});

describe('the ipc of the windows', () => {
  it('answers in a sentence where the core cannot be loaded', async () => {
    openIpc(() => Promise.reject(new Error('Cannot find module x\n    at there')), 'parley://page');
    const ask = ipcMain.handle.mock.calls[0]?.[1] as Ask;
    expect(await ask({ senderFrame: null }, 'about')).toEqual(
      failure('coreUnloaded', {}, { detail: 'Cannot find module x' }),
    );
  });
});
