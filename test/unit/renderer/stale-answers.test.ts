import { beforeEach, describe, expect, it, vi } from 'vitest';
import { appError } from '../../../shared/errors/app-error.ts';
import type { RequestName } from '../../../shared/ipc/contract.ts';
import { redactSettings, defaultSettings } from '../../../shared/settings/settings.ts';
import { conversationOf } from '../../gallery/sample-talk.ts';
import { deferred } from '../../fakes/promises.ts';
import { openApp } from './open-app.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);
const server = {
  id: 'server-1',
  name: 'Talk',
  kind: 'local',
  url: 'wss://talk.example',
  dialect: 'auto',
  hasToken: false,
  headers: {},
  query: {},
} as const;
const shown = redactSettings(defaultSettings);
const settings = {
  ...shown,
  endpoints: { ...shown.endpoints, list: [...shown.endpoints.list, server] },
};
const works = { ok: true, connectMs: 1, firstMessageMs: 1 };

/** A page for which the test releases one kind of reply. */
async function open(
  late: RequestName,
  values: Partial<Record<RequestName, unknown>> = {},
  refused: readonly RequestName[] = [],
) {
  const reply = deferred();
  const app = openApp({
    refused,
    until: { [late]: reply.promise },
    values: {
      settings: { settings, problems: [] },
      putEndpoint: server,
      testEndpoint: works,
      ...values,
    },
  });
  await settle();
  return {
    ...app,
    setup: app.actions.setup,
    view: app.store.getState,
    settingsUi: () => app.store.getState().settingsUi,
    release: reply.resolve,
  };
}

describe('the server form', () => {
  it('chooses a server when it is added, not when it is edited', async () => {
    const { setup, inputs, release } = await open('putEndpoint');
    release();
    setup.addServer();
    setup.fillIn({ url: 'wss://talk.example' });
    await setup.saveForm();
    expect(inputs('changeSettings')).toEqual([{ endpoints: { chosen: 'server-1' } }]);
    setup.editServer('server-1');
    setup.fillIn({ name: 'Mine' });
    await setup.saveForm();
    expect(inputs('changeSettings')).toHaveLength(1);
  });

  it.each([
    ['it is being saved', 'putEndpoint'],
    ['its token is being stored', 'setToken'],
  ] as const)('keeps text typed while %s', async (_when, late) => {
    const { setup, settingsUi, release } = await open(late);
    setup.addServer();
    setup.fillIn({ url: 'wss://talk.example', token: 'secret' });
    const saving = setup.saveForm();
    await settle();
    setup.fillIn({ name: 'Mine' });
    release();
    await saving;
    expect(settingsUi().form).toMatchObject({ id: 'server-1', name: 'Mine' });
  });

  it('stores the token of a new server even if the form is closed while the server is being saved', async () => {
    const { setup, inputs, release } = await open('putEndpoint');
    setup.addServer();
    setup.fillIn({ url: 'wss://talk.example', token: 'secret' });
    const saving = setup.saveForm();
    await settle();
    setup.closeForm();
    release();
    await saving;
    expect(inputs('changeSettings')).toEqual([{ endpoints: { chosen: 'server-1' } }]);
    expect(inputs('setToken')).toEqual([{ id: 'server-1', token: 'secret' }]);
  });

  it('shows at its server that a token was not stored if the form was closed', async () => {
    const { setup, settingsUi, release } = await open('setToken', {}, ['setToken']);
    setup.editServer('server-1');
    setup.fillIn({ token: 'secret' });
    const saving = setup.saveForm();
    await settle();
    setup.closeForm();
    setup.addServer();
    release();
    await saving;
    expect(settingsUi().fields).toEqual({ 'server.server-1': { problem: appError('noTalk') } });
  });

  it('ignores replies for an earlier form', async () => {
    for (const [late, begin] of [
      ['putEndpoint', 'saveForm'],
      ['setToken', 'saveForm'],
      ['removeEndpoint', 'removeServer'],
    ] as const) {
      const { setup, settingsUi, release, inputs } = await open(late);
      setup.editServer('server-1');
      setup.fillIn({ token: 'secret' });
      const before = begin === 'saveForm' ? setup.saveForm() : setup.removeServer('server-1');
      await settle();
      setup.closeForm();
      setup.addServer();
      setup.fillIn({ url: 'ws://another' });
      release();
      await before;
      expect(settingsUi().form, late).toMatchObject({ id: undefined, url: 'ws://another' });
      // The save still completes.
      if (late === 'putEndpoint') expect(inputs('setToken')).toHaveLength(1);
    }
  });
});

describe('a server test', () => {
  it('is ignored after the server was saved again', async () => {
    const { setup, settingsUi, release } = await open('testEndpoint');
    const testing = setup.testServer('server-1');
    setup.editServer('server-1');
    setup.fillIn({ headers: [{ key: 0, name: 'X', value: 'other' }] });
    await setup.saveForm();
    release();
    await testing;
    expect(settingsUi().verdict).toBeUndefined();
    await setup.testServer('server-1');
    expect(settingsUi().verdict).toEqual({ of: 'server-1', result: works });
  });

  it('does not prevent the removal of its server', async () => {
    const { setup, inputs, release } = await open('testEndpoint');
    const testing = setup.testServer('server-1');
    await setup.removeServer('server-1');
    expect(inputs('removeEndpoint')).toEqual([{ id: 'server-1' }]);
    release();
    await testing;
  });
});

it('a speaker that opens slowly does not keep its voice from being removed', async () => {
  const { setup, inputs, release } = await open('previewVoice');
  const playing = setup.playVoice('voice-1');
  await setup.removeVoice('voice-1');
  expect(inputs('removeVoice')).toEqual([{ id: 'voice-1' }]);
  release();
  await playing;
});

describe('a choice of settings', () => {
  it('ends with the latest value, even if an earlier value is being saved', async () => {
    const { setup, release, inputs } = await open('changeSettings');
    const language = (chosen: 'en' | 'zh') =>
      setup.choose('appearance.language', { appearance: { language: chosen } });
    const first = language('zh');
    await language('en');
    await language('zh');
    await language('en');
    release();
    await first;
    expect(inputs('changeSettings')).toEqual([
      { appearance: { language: 'zh' } },
      { appearance: { language: 'en' } },
    ]);
  });
});

describe('stored data', () => {
  it('is not replaced by a list from before a deletion', async () => {
    const { setup, settingsUi, release } = await open('storedData', {
      storedData: ['before'],
      deleteStoredData: ['after'],
    });
    const reading = setup.readStoredData();
    await setup.deleteStoredData('all');
    release();
    await reading;
    expect(settingsUi().storedData).toEqual(['after']);
  });
});

describe('a voice file', () => {
  it('shows an error if it cannot be read, and allows a different file', async () => {
    const { setup, settingsUi, inputs } = await open('about');
    const gone = { name: 'a', read: () => Promise.resolve(undefined), unreadable: 'It is gone.' };
    expect(await setup.importVoice(gone)).toBe(false);
    expect(settingsUi()).toMatchObject({
      busy: [],
      fields: { take: { problem: 'It is gone.' } },
    });
    const there = { ...gone, read: () => Promise.resolve(new Uint8Array(4)) };
    expect(await setup.importVoice(there)).toBe(true);
    expect(inputs('importVoice')).toHaveLength(1);
  });
});

describe('the list of screens to share', () => {
  it('is dropped if the user closed it before the reply', async () => {
    const { actions, view, release } = await open('shareables', {
      shareables: { offered: true, list: [] },
    });
    const picking = actions.pick('screen');
    actions.stopPicking();
    release();
    await picking;
    expect(view().visionUi.picking).toBeUndefined();
  });
});

describe('an error', () => {
  it('stays after a successful request if no request caused it', async () => {
    const { actions, view, notice } = await open('about');
    const problem = appError('chatsNotStored');
    notice({ name: 'settingsProblem', payload: problem });
    await actions.setMuted(true);
    expect(view().problem).toEqual(problem);
    actions.dismissProblem();
    expect(view().problem).toBeUndefined();
  });

  it('that still holds is shown again after a later one', async () => {
    const refused: RequestName[] = ['setMuted'];
    const { actions, view, notice } = await open('about', {}, refused);
    const full = appError('changesNotStored');
    notice({ name: 'settingsProblem', payload: appError('logNotWritable', { path: 'x' }) });
    notice({ name: 'settingsProblem', payload: full });
    await actions.setMuted(true);
    expect(view().problem).not.toEqual(full);
    refused.length = 0;
    await actions.setMuted(true);
    expect(view().problem).toEqual(full);
    notice({ name: 'problemOver', payload: { code: 'changesNotStored' } });
    expect(view().problem).toMatchObject({ code: 'logNotWritable' });
    actions.dismissProblem();
    expect(view().problem).toBeUndefined();
  });

  it('of a sentence that was not deleted is cleared when the next one is deleted', async () => {
    const refused: RequestName[] = ['removeSentence'];
    const { actions, store, inputs } = openApp({ refused });
    const problem = () => store.getState().settingsUi.fields['memory.list']?.problem;
    await actions.setup.removeSentence('a');
    expect(problem()).toMatchObject({ code: 'noTalk' });
    // Another program may have deleted it, so the list is read again.
    expect(inputs('memory')).toHaveLength(1);
    refused.pop();
    await actions.setup.removeSentence('b');
    expect(problem()).toBeUndefined();
  });

  it('of a sentence that was not changed stays when a change that was asked for meanwhile succeeds', async () => {
    const { setup, settingsUi, inputs, release } = await open('changeSentence');
    const changes = [
      setup.changeSentence('a', { text: 'Two cats.' }),
      setup.changeSentence('b', { on: false }),
    ];
    expect(inputs('changeSentence')).toHaveLength(2);
    setup.setProblem('memory.list', 'memoryKnown');
    release();
    await Promise.all(changes);
    expect(settingsUi().fields['memory.list']?.problem).toBe('memoryKnown');
  });

  it('from before the page opened is a note in Chat until the user dismisses it', async () => {
    const problems = [appError('chatsNotStored')];
    const chat = { conversation: conversationOf([]), options: {}, list: [], problems };
    const { actions, view } = await open('about', { chat });
    const note = { kind: 'failure', error: appError('chatsNotStored') } as const;
    await actions.chat.readOnce();
    expect(view().chat.notes).toEqual([note]);
    for (const shown of view().chat.notes) actions.chat.dismissNote(shown);
    await actions.chat.read();
    expect(view().chat.notes).toEqual([]);
  });

  it('is cleared only by its own problemOver notice', async () => {
    const { view, notice } = await open('about');
    const other = appError('chatDamaged', { path: 'x' });
    notice({ name: 'settingsProblem', payload: appError('changesNotStored') });
    notice({ name: 'chatProblem', payload: appError('chatsNotStored') });
    notice({ name: 'chatProblem', payload: other });
    notice({ name: 'problemOver', payload: { code: 'chatsNotStored' } });
    expect(view().problem).toMatchObject({ code: 'changesNotStored' });
    expect(view().chat.notes).toEqual([{ kind: 'failure', error: other }]);
    notice({ name: 'problemOver', payload: { code: 'changesNotStored' } });
    expect(view().problem).toBeUndefined();
  });
});

describe('a selection in History', () => {
  it('stays while an earlier deletion is completed', async () => {
    const { actions, view, release } = await open('removeHistory');
    const { history, removal } = actions;
    const gone = { kind: 'chat', id: 'one' } as const;
    removal.remove({
      keys: ['chat one'],
      message: '',
      remove: () => history.remove([gone], false),
    });
    history.choose([{ kind: 'chat', id: 'two' }]);
    release();
    await removal.finish();
    expect(view().history.selection).toEqual(new Set(['chat two']));
  });
});

it('a deleted entry is withheld from models until it is gone, or back', async () => {
  const { actions, inputs } = openApp();
  const list = [{ kind: 'chat', id: 'one' }] as const;
  const deletion = () =>
    actions.history.withhold(list, {
      remove: () => actions.chat.remove('one'),
      restore: () => undefined,
    });
  const states = () => inputs('withholdHistory');
  const during = { list, withheld: true };
  const after = { list, withheld: false };
  deletion().restore();
  expect(states()).toEqual([during, after]);
  const { remove } = deletion();
  expect(states()).toEqual([during, after, during]);
  await remove();
  expect(states()).toEqual([during, after, during, after]);
});

it('the list of History is read up to its place when the screen shows it again', async () => {
  const entries = Array.from({ length: 200 }, (_, id) => ({ kind: 'talk', id: `${id}` }));
  const { actions, inputs } = openApp({ values: { history: { entries, total: 450 } } });
  await actions.history.refresh();
  actions.history.keepPlace({ query: '', show: 'all', row: 300 });
  // The rows at the top are drawn first.
  void actions.history.loadAhead(17);
  await actions.history.refresh();
  const pages = [{ skip: 0 }, { skip: 200 }];
  expect(inputs('history')).toMatchObject([...pages, ...pages]);
});

describe('a selection of all entries', () => {
  it('has no hidden entry, because the deletion of a hidden entry can still be undone', async () => {
    const entries = ['one', 'two'].map((id) => ({ kind: 'chat', id }));
    const { actions, view } = await open('about', {
      history: { entries, total: 2, complete: true },
    });
    const { history, removal } = actions;
    await history.refresh();
    removal.remove({ keys: ['chat one'], message: '', remove: () => undefined });
    history.choose([]);
    await history.chooseAll();
    expect(view().history.selection).toEqual(new Set(['chat two']));
  });
});

describe('a recording that is being opened', () => {
  it('is not played if the user closed it, or opened another recording, before the reply', async () => {
    const { actions, view, inputs, release } = await open('openReplay');
    const { replay } = actions;
    const closed = replay.open({ kind: 'example', example: 'voice' });
    await replay.close();
    const replaced = replay.open({ kind: 'example', example: 'voice' });
    const opened = replay.open({ kind: 'example', example: 'video' });
    release();
    await Promise.all([closed, replaced, opened]);
    expect(inputs('playReplay')).toHaveLength(1);
    expect(view().problem).toBeUndefined();
  });
});

const passage = { kind: 'chat', id: 'one', title: 'Lamps', at: 0 } as const;

describe('passages for a draft', () => {
  it.each([
    ['Chat', 'findPast', 'chat'],
    ['Quick ask', 'findQuickPast', 'quick'],
  ] as const)('in %s are not shown if the draft has changed', async (_place, late, place) => {
    const { actions, view, release } = await open(late, { [late]: [passage] });
    let isDraft = true;
    const finding = actions[place].findPast('that lamp', () => isDraft);
    isDraft = false;
    release();
    await finding;
    expect(view().chat.foundPast).toEqual([]);
    await actions[place].findPast('that lamp', () => true);
    expect(view().chat.foundPast).toEqual([passage]);
  });
});
