import { expect, test, vi } from 'vitest';
import { LocalModel } from '../../../../electron/model/local-model.ts';
import { ModelArbiter } from '../../../../electron/model/model-arbiter.ts';
import { done, failure, type Outcome } from '../../../../shared/errors/app-error.ts';
import { Listeners } from '../../../../shared/listeners.ts';
import type {
  ModelFilesState,
  ModelHardware,
  ModelServerState,
} from '../../../../shared/model/local-model-state.ts';
import type { OpenMethod } from '../../../../shared/ports/files.ts';
import type { ModelSettings } from '../../../../shared/settings/app-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { anyPage } from '../../../fakes/fake-updates.ts';
import { flushPromises } from '../../../fakes/promises.ts';

const missing: ModelFilesState = { kind: 'missing', bytes: 0, totalBytes: 100 };
const complete: ModelFilesState = {
  kind: 'ready',
  folder: '/good',
  isForeign: true,
  totalBytes: 100,
};

/** The disk of `/model` has one free byte, other disks have two. */
const hardwareOf = (folder: string): ModelHardware => ({
  card: undefined,
  memoryBytes: 1,
  freeDiskBytes: folder === '/model' ? 1 : 2,
  verdict: 'noCard',
  hasRoomForTwo: false,
});

/** The model of the settings over fake files, a fake process and fake hardware; a folder named `/good` has all files. */
function openLocalModel(openMethod?: OpenMethod) {
  const fileListeners = new Listeners<ModelFilesState>();
  const serverListeners = new Listeners<ModelServerState>();
  const succeed = () => Promise.resolve({ ok: true as const, value: missing });
  const arbiter = new ModelArbiter();
  const order: string[] = [];
  let settings = defaultSettings.model;
  const change = vi.fn((changed: Partial<ModelSettings>) => {
    settings = { ...settings, ...changed };
    return done;
  });
  const findProgram = vi.fn((path: string) =>
    Promise.resolve<Outcome<string>>(
      path === '/bad' ? failure('modelProgramGone', { path }) : { ok: true, value: '/found' },
    ),
  );
  const post = vi.fn();
  let inUse = '/model';
  const verifying = vi.fn(() => Promise.resolve());
  const useFolder = vi.fn(async (folder: string) => {
    inUse = folder;
    await verifying();
    if (folder !== '/good') inUse = '/model';
    return folder === '/good' || folder === '/stopped'
      ? { ok: true as const, value: folder === '/good' ? complete : missing }
      : failure('modelFolderForeign', { folder });
  });
  const examineHardware = vi.fn((folder: string) => Promise.resolve(hardwareOf(folder)));
  const model = new LocalModel({
    files: {
      state: missing,
      get folder() {
        return inUse;
      },
      listen: (listener) => fileListeners.add(listener),
      examine: () => Promise.resolve(missing),
      download: succeed,
      pause: () => Promise.resolve(),
      verify: succeed,
      remove: () => {
        order.push('removed');
        return Promise.resolve({ ok: true, value: 0 });
      },
      useFolder,
      setFolder: succeed,
    },
    server: {
      state: { kind: 'stopped' },
      listen: (listener) => serverListeners.add(listener),
      ready: () => Promise.resolve(failure('modelStopped')),
      unload: () => {
        order.push('let go');
        return Promise.resolve();
      },
    },
    arbiter,
    chats: {
      place: undefined,
      listen: () => () => undefined,
      noteHardware: () => undefined,
      unload: () => {
        order.push('chats let go');
        return Promise.resolve();
      },
    },
    findProgram,
    examineHardware,
    openMethod,
    settings: () => settings,
    change,
    post,
  });
  const mocks = { findProgram, examineHardware, verifying };
  return { model, post, change, order, fileListeners, arbiter, ...mocks };
}

const page = anyPage;

test('both processes of the model end before its files are deleted', async () => {
  const { model, order } = openLocalModel();
  expect(await model.handlers.removeModel(undefined, page)).toEqual(done);
  expect(order).toEqual(['let go', 'chats let go', 'removed']);
});

test('an unusable program or folder changes no setting', async () => {
  const { model, change } = openLocalModel();
  const program = await model.handlers.setModelProgram({ path: '/bad' }, page);
  expect(program).toMatchObject(failure('modelProgramGone', { path: '/bad' }));
  const folder = await model.handlers.setModelFolder({ path: '/x' }, page);
  expect(folder).toMatchObject(failure('modelFolderForeign', { folder: '/x' }));
  expect(change).not.toHaveBeenCalled();
});

test('a program that the user chooses during a search stays, although the search found none', async () => {
  const { model, findProgram } = openLocalModel();
  let end: (found: Outcome<string>) => void = () => undefined;
  const search = new Promise<Outcome<string>>((resolve) => {
    end = resolve;
  });
  findProgram.mockReturnValueOnce(search);
  const looked = model.refresh();
  expect(await model.handlers.setModelProgram({ path: '/good' }, page)).toEqual(done);
  end(failure('modelProgramMissing'));
  await looked;
  expect(model.state.program).toBe('/found');
});

test('a late answer about the disk of a former folder is dropped', async () => {
  const { model, examineHardware } = openLocalModel();
  let answer: (late: ModelHardware) => void = () => undefined;
  const late = new Promise<ModelHardware>((resolve) => {
    answer = resolve;
  });
  examineHardware.mockReturnValueOnce(late);
  const looked = model.refresh();
  expect(await model.handlers.setModelFolder({ path: '/good' }, page)).toEqual(done);
  await model.refresh();
  answer(hardwareOf('/model'));
  await looked;
  expect(model.state.hardware).toEqual(hardwareOf('/good'));
});

test('the disk of a folder that was tried in vain is forgotten', async () => {
  const { model, verifying } = openLocalModel();
  verifying.mockImplementationOnce(() => model.refresh());
  expect(await model.handlers.setModelFolder({ path: '/x' }, page)).toMatchObject({ ok: false });
  await flushPromises();
  expect(model.state.hardware).toEqual(hardwareOf('/model'));
});

const dialogs = (path: string | undefined): OpenMethod => ({
  chooseFile: () => Promise.resolve(path),
  chooseFolder: () => Promise.resolve(path),
});

test('a path from the dialog is checked and used, and a cancelled dialog changes nothing', async () => {
  const chosen = openLocalModel(dialogs('/good'));
  expect(await chosen.model.handlers.chooseModelProgram(undefined, page)).toEqual(done);
  expect(await chosen.model.handlers.chooseModelFolder(undefined, page)).toEqual(done);
  expect(chosen.change.mock.calls).toEqual([[{ program: '/good' }], [{ folder: '/good' }]]);

  const wrong = openLocalModel(dialogs('/bad'));
  const program = await wrong.model.handlers.chooseModelProgram(undefined, page);
  expect(program).toMatchObject(failure('modelProgramGone', { path: '/bad' }));
  const folder = await wrong.model.handlers.chooseModelFolder(undefined, page);
  expect(folder).toMatchObject(failure('modelFolderForeign', { folder: '/bad' }));
  expect(wrong.change).not.toHaveBeenCalled();

  const cancelled = openLocalModel(dialogs(undefined));
  expect(await cancelled.model.handlers.chooseModelProgram(undefined, page)).toEqual(done);
  expect(cancelled.change).not.toHaveBeenCalled();
});

test('a folder whose verification the user stops is not used', async () => {
  const { model, change } = openLocalModel(dialogs('/stopped'));
  expect(await model.handlers.chooseModelFolder(undefined, page)).toEqual(done);
  expect(change).not.toHaveBeenCalled();
});

test('a page cannot set a path if the host has file dialogs, but it can reset to the automatic path', async () => {
  const { model, change } = openLocalModel(dialogs('/good'));
  const refused = failure('pathNotChosen');
  expect(await model.handlers.setModelProgram({ path: '/good' }, page)).toEqual(refused);
  expect(await model.handlers.setModelFolder({ path: '/good' }, page)).toEqual(refused);
  expect(change).not.toHaveBeenCalled();
  expect(await model.handlers.setModelProgram({ path: '' }, page)).toEqual(done);
  expect(await model.handlers.setModelFolder({ path: '' }, page)).toEqual(done);
  expect(change.mock.calls).toEqual([[{ program: '' }], [{ folder: '' }]]);
});

test('the local model posts changes until it ends', () => {
  const { model, post, fileListeners, arbiter } = openLocalModel();
  const end = model.begin();
  fileListeners.emit(missing);
  expect(post).toHaveBeenCalledTimes(1);
  arbiter.setTalking(true);
  expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ user: 'talk' }));
  end();
  fileListeners.emit(missing);
  arbiter.setTalking(false);
  expect(post).toHaveBeenCalledTimes(2);
});
