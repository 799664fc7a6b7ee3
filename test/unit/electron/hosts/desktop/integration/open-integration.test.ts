import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoticeBoard } from '../../../../../../electron/app/ipc/request-dispatcher.ts';
import { keepAwake } from '../../../../../../electron/hosts/desktop/integration/open-integration.ts';
import { Lifetime } from '../../../../../../shared/lifetime.ts';
import {
  idleTalkView,
  type TalkView,
  type TalkEnding,
  type TalkState,
} from '../../../../../../shared/talk/talk-view.ts';
import { Notification, powerSaveBlocker } from '../../../../../fakes/fake-electron.ts';
import {
  DesktopNotifications,
  NotificationPolicy,
} from '../../../../../../electron/hosts/desktop/integration/notifications.ts';
import { appError, failure } from '../../../../../../shared/errors/app-error.ts';
import {
  appMenuTemplate,
  type AppMenuChoice,
} from '../../../../../../electron/hosts/desktop/integration/app-menu.ts';
import { englishDesktop } from '../../../../../../shared/i18n/en/core-messages.ts';
import type { ChatAnswerState } from '../../../../../../shared/chat/chat-thread.ts';
import type { Notice } from '../../../../../../shared/ipc/contract.ts';
import { defaultSettings } from '../../../../../../shared/settings/settings.ts';
import type { ModelFilesState } from '../../../../../../shared/model/local-model-state.ts';

vi.mock('electron', () => import('../../../../../fakes/fake-electron.ts'));

it('a due reminder is notified of in the run of Parley in which it comes due, and not after later starts', async () => {
  const lifetime = new Lifetime('notifications under test');
  const begun = Notification.shown.length;
  const notifications = new DesktopNotifications(
    {
      answer: () => Promise.resolve(failure('noTalk')),
      chats: () => Promise.reject(new Error('no chat was expected')),
      dueReminders: () => [
        { id: 1, at: 1, text: 'tea', wasDue: true },
        { id: 2, at: 2, text: 'bread' },
      ],
      lifetime,
      notices: new NoticeBoard(),
      settings: { get: () => defaultSettings },
    },
    { isFocused: () => false, showMain: () => undefined },
    () => true,
  );
  expect(notifications).toBeDefined();
  await vi.waitFor(() => {
    expect(Notification.shown.length).toBeGreaterThan(begun);
  });
  const shown = Notification.shown.slice(begun).map(({ options }) => options.body);
  expect(shown).toEqual(['bread']);
  await lifetime.end();
});

describe('keepAwake', () => {
  let lifetime: Lifetime;

  beforeEach(() => {
    lifetime = new Lifetime('wakefulness under test');
    vi.clearAllMocks();
  });

  afterEach(() => lifetime.end());

  function openTalk() {
    const notices = new NoticeBoard();
    const talk: { view: TalkView } = { view: idleTalkView };
    keepAwake({ notices, lifetime, talk });
    return (part: Partial<TalkView>): void => {
      talk.view = { ...talk.view, ...part };
      notices.post('talkState', talk.view.state);
    };
  }

  const { start, stop } = powerSaveBlocker;

  it('keeps the machine awake during a talk, with the screen on for video, until Parley ends', async () => {
    const changeTalk = openTalk();
    changeTalk({
      state: { phase: 'connecting' },
      talk: { mode: 'audio', endpoint: 'Demonstration' },
    });
    changeTalk({ state: { phase: 'live' } });
    expect(start.mock.calls).toEqual([['prevent-app-suspension']]);
    expect(stop).not.toHaveBeenCalled();
    changeTalk({ state: { phase: 'idle' } });
    expect(stop.mock.calls).toEqual([[1]]);
    changeTalk({ state: { phase: 'live' }, talk: { mode: 'video', endpoint: 'Demonstration' } });
    expect(start.mock.lastCall).toEqual(['prevent-display-sleep']);
    await lifetime.end();
    expect(stop).toHaveBeenCalledTimes(2);
  });
});

const state = (payload: TalkState): Notice => ({ name: 'talkState', payload });
const queued = state({ phase: 'queued', position: 2, length: 3, etaSeconds: 9 });
const connecting = state({ phase: 'connecting' });
const live = state({ phase: 'live' });
const ended = (by: TalkEnding['by'], orderly = false): Notice =>
  state({
    phase: 'ended',
    ending: { error: appError('noTalk'), by, orderly },
    offer: 'continue',
  });
const warning = (limit: 'time' | 'context', threshold: 60 | 15): Notice => ({
  name: 'talkWarning',
  payload: { limit, threshold, secondsLeft: threshold },
});
const answer = (of: ChatAnswerState): Notice => ({
  name: 'chatPatch',
  payload: { kind: 'answer', turn: 'turn-1', state: of },
});

const files = (state: ModelFilesState): Notice => ({
  name: 'modelChanged',
  payload: {
    hardware: undefined,
    program: undefined,
    files: state,
    server: { kind: 'stopped' },
  },
});

const subjectsFor = (...notices: readonly Notice[]) =>
  notices.map(new NotificationPolicy().subjectFor);

describe('a notification', () => {
  it.each([
    ['that a queued talk begins', [queued, live], 'turn'],
    ['no talk that begins at once', [connecting, live], undefined],
    ['a lost talk', [live, ended('network')], 'lost'],
    ['a talk that the server drops', [live, ended('server')], 'lost'],
    ['a talk that is lost while it reconnects', [live, connecting, ended('network')], 'lost'],
    ['a lost place in the queue', [queued, ended('server')], 'lost'],
    ['no end by the user', [live, ended('client')], undefined],
    ['no failed connection', [connecting, ended('network')], undefined],
    ['no second loss', [live, ended('network'), ended('network')], undefined],
    [
      'no failed connection after an end by the user',
      [live, ended('client'), connecting, ended('network')],
      undefined,
    ],
    ['a time limit as an ending', [live, ended('server', true)], 'over'],
    ['no orderly end by the user', [live, ended('client', true)], undefined],
    ['a limit', [warning('time', 60)], 'time'],
    ['no second warning of a limit', [warning('time', 60), warning('time', 15)], undefined],
    ['another limit', [warning('time', 60), warning('context', 60)], 'context'],
  ] as const)('reports %s', (_what, notices, subject) => {
    expect(subjectsFor(...notices).at(-1)).toBe(subject);
  });
  it('reports the end of a download, but no pause and no check of files that were not downloaded', () => {
    const sizes = { bytes: 1, totalBytes: 2 };
    const downloading = files({
      ...sizes,
      kind: 'downloading',
      file: 1,
      files: 10,
      bytesPerSecond: 0,
      secondsLeft: undefined,
      mirror: 'mirror.example',
    });
    const missing = files({ ...sizes, kind: 'missing' });
    const ready = files({ kind: 'ready', folder: '/model', totalBytes: 2, isForeign: false });
    const failed = files({ kind: 'failed', error: appError('noTalk'), bytes: 1 });
    expect(subjectsFor(downloading, downloading, ready, ready)).toEqual([
      undefined,
      undefined,
      'modelReady',
      undefined,
    ]);
    expect(subjectsFor(downloading, failed).at(-1)).toBe('modelFailed');
    expect(subjectsFor(downloading, missing, ready).at(-1)).toBeUndefined();
    expect(subjectsFor(files({ ...sizes, kind: 'verifying' }), failed).at(-1)).toBeUndefined();
  });

  it('reports an answer or its failure, unless the user stopped it', () => {
    const kinds: readonly ChatAnswerState[] = [
      { kind: 'streaming' },
      { kind: 'done', cutShort: false },
      { kind: 'stopped' },
      { kind: 'failed', error: appError('noTalk') },
    ];
    expect(subjectsFor(...kinds.map(answer))).toEqual([undefined, 'answer', undefined, 'noAnswer']);
  });
});

type MenuItem = ReturnType<typeof appMenuTemplate>[number];

const none = (): void => undefined;

function menuOn(
  platform: NodeJS.Platform,
  isDevelopment = false,
  choose: (choice: AppMenuChoice) => void = none,
) {
  return appMenuTemplate(englishDesktop.appMenu, { platform, isDevelopment, choose });
}

const entries = (menu: readonly MenuItem[]): readonly MenuItem[] =>
  menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entries(item.submenu) : [])]);

const roles = (menu: readonly MenuItem[]) => entries(menu).flatMap(({ role }) => role ?? []);

const editing = ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectAll'];

describe.each(['linux', 'win32', 'darwin'] as const)('the menu on %s', (platform) => {
  it('has the roles, shortcuts and texts of Parley, so that none is in Electron’s language', () => {
    const shown = entries(menuOn(platform)).filter(({ type }) => type !== 'separator');
    expect(roles(shown)).toEqual(expect.arrayContaining([...editing, 'close', 'quit']));
    expect(shown.filter(({ label }) => label === undefined)).toEqual([]);
    const keys = new Map(shown.map((item) => [item.accelerator, item.id ?? item.role]));
    expect(keys.get('CmdOrCtrl+N')).toBe('newChat');
    expect(keys.get('CmdOrCtrl+=')).toBe('zoomIn');
  });

  it('reports the choice of each entry that is not a role', () => {
    const choices: string[] = [];
    const menu = menuOn(platform, false, (choice) => choices.push(choice));
    for (const { click } of entries(menu)) Reflect.apply(click ?? none, undefined, []);
    expect(choices.toSorted()).toEqual(
      'about chat guide history miniWindow newChat report settings talk'.split(' '),
    );
  });
});
