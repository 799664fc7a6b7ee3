import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoticeBoard } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import { chooseTrayInks, openTray } from '../../../../../electron/hosts/desktop/tray.ts';
import { languageIds, languages } from '../../../../../shared/i18n/languages.ts';
import { successReply } from '../../../../fakes/fake-bridge.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { defaultSettings, redactSettings } from '../../../../../shared/settings/settings.ts';
import {
  idleTalkView,
  type TalkView,
  type TalkControls,
  type TalkState,
} from '../../../../../shared/talk/talk-view.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { app, nativeTheme, Tray } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { doubleClickMs } from '../../../../../electron/hosts/desktop/tray-menu.ts';
import { appError, failure } from '../../../../../shared/errors/app-error.ts';
import { trayModel, type TrayTalk } from '../../../../../electron/hosts/desktop/tray-items.ts';
import { englishDesktop } from '../../../../../shared/i18n/en/core-messages.ts';
import type { ListedDevice } from '../../../../../shared/settings/audio-settings.ts';
import type { ChatSummary } from '../../../../../shared/chat/chat-thread.ts';
import type { Parley } from '../../../../../electron/app/parley.ts';
import type {
  LocalModelState,
  ModelFilesState,
} from '../../../../../shared/model/local-model-state.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

let lifetime: Lifetime;

beforeEach(() => {
  lifetime = new Lifetime('tray under test');
});

afterEach(async () => {
  await lifetime.end();
  Tray.latest = undefined;
});

/** The device's name has an ampersand, which menus take for the mark of a mnemonic. */
const devices: readonly ListedDevice[] = [
  {
    name: 'Mike & Co',
    hostApi: 'ALSA',
    inputChannels: 1,
    outputChannels: 0,
    rate: 48_000,
    defaultInput: true,
    defaultOutput: false,
  },
];

const chats: readonly ChatSummary[] = [
  { id: 'chat-1', updatedAt: 1, title: 'Bees', pinned: false },
  { id: 'chat-2', updatedAt: 2, title: '', pinned: false },
];

/** Loads the texts of every language, and waits until the tray has them. */
async function waitForTexts(): Promise<void> {
  for (const id of languageIds) await languages[id].core();
  await new Promise((resolve) => setTimeout(resolve));
}

/** A tray with loaded texts, over a core whose talk, settings and answers the test sets. */
async function openTrayStage(
  answers: Parley['answer'] = () => Promise.resolve(successReply(undefined)),
) {
  const notices = new NoticeBoard();
  const requests: unknown[] = [];
  const talk: { view: TalkView } = { view: idleTalkView };
  const appearance: { language: 'system' | 'zh' } = { language: 'system' };
  const settings = { ...defaultSettings, appearance };
  const windowCalls: string[] = [];
  const clock = new FakeClock();
  const listDevices = vi.fn(() => Promise.resolve({ ok: true, value: devices } as const));
  const core = {
    notices,
    talk,
    lifetime,
    log: new FakeLog(),
    settings: { get: () => settings },
    clock,
    chats: () => Promise.resolve({ list: () => chats }),
    sound: { devices: listDevices },
    answer: (name: unknown, input: unknown) => {
      requests.push([name, input]);
      return answers(name, input);
    },
  };
  let onPanelChange: (shown: boolean) => void = () => undefined;
  openTray(
    core,
    {
      showMain: () => windowCalls.push('showMain'),
      toggleMain: () => windowCalls.push('toggleMain'),
      showMini: () => windowCalls.push('showMini'),
    },
    {
      onTrayChange: (changed) => {
        onPanelChange = changed;
        return () => undefined;
      },
    },
  );
  await waitForTexts();
  // Device queries may hang or crash, so they do not run at the start.
  expect(listDevices).not.toHaveBeenCalled();
  clock.advance(2000);
  await waitForTexts();
  const tray = Tray.latest;
  if (tray === undefined) throw new Error('The tray has not been created.');
  const items = () => (Tray.latest ?? tray).setContextMenu.mock.lastCall?.[0].items ?? [];
  return {
    tray,
    settings,
    clock,
    onPanelChange,
    submenu: (id: string) => items().find((item) => item.id === id)?.submenu ?? [],
    notices,
    requests,
    windowCalls,
    appearance,
    changeTalk: async (part: Partial<TalkView>) => {
      talk.view = { ...talk.view, ...part };
      notices.post('talkState', talk.view.state);
      await waitForTexts();
    },
    click: (id: string) =>
      items()
        .find((item) => item.id === id)
        ?.click?.(),
    labels: () => items().flatMap(({ label }) => (label === undefined ? [] : [label])),
  };
}

const modelDownload = (percent: number, kind: 'downloading' | 'paused'): LocalModelState => ({
  hardware: undefined,
  program: undefined,
  files: {
    kind,
    file: 1,
    files: 10,
    bytes: percent,
    totalBytes: 100,
    bytesPerSecond: 0,
    secondsLeft: undefined,
    mirror: 'mirror.example',
  },
  server: { kind: 'stopped' },
});

describe('the tray', () => {
  it('follows the talk with its icon, tooltip and menu, and is not redrawn without a change', async () => {
    const { tray, changeTalk, labels, notices } = await openTrayStage();
    expect(tray.setImage.mock.lastCall?.[0].path).toMatch(/ready\.png$/);
    await changeTalk({ state: { phase: 'live' } });
    expect(tray.setImage.mock.lastCall?.[0].path).toMatch(/live\.png$/);
    expect(tray.setToolTip).toHaveBeenLastCalledWith('Parley · Live');
    expect(labels().slice(0, 3)).toEqual(['Live', 'End', 'Push to talk']);
    const times = tray.setContextMenu.mock.calls.length;
    await changeTalk({});
    notices.post('level', { who: 'you', rmsDb: -20, peakDb: -10 });
    await waitForTexts();
    expect(tray.setContextMenu).toHaveBeenCalledTimes(times);
  });

  it('shows that a talk starts muted if the setting is on, but not with a talk key', async () => {
    const { settings, notices, labels, click, requests, windowCalls } = await openTrayStage();
    const change = async (talking: Partial<typeof settings.talking>): Promise<void> => {
      settings.talking = { ...settings.talking, ...talking };
      notices.post('settingsChanged', redactSettings(defaultSettings));
      await waitForTexts();
    };
    await change({ startMuted: true });
    expect(labels()[1]).toBe('Start talking, muted');
    const quit = vi.spyOn(app, 'quit').mockImplementation(() => undefined);
    for (const id of ['start', 'showMini', 'showMain', 'quit']) click(id);
    expect(requests).toEqual([['startTalk', { mode: 'audio' }]]);
    expect(windowCalls).toEqual(['showMini', 'showMain']);
    expect(quit).toHaveBeenCalledOnce();
    await change({ mode: 'tap' });
    expect(labels()[1]).toBe('Start talking');
  });

  it('follows the language of the settings, also when a panel starts later', async () => {
    const { tray, labels, appearance, notices, onPanelChange } = await openTrayStage();
    appearance.language = 'zh';
    notices.post('settingsChanged', redactSettings(defaultSettings));
    onPanelChange(true);
    await waitForTexts();
    expect(tray.destroy).toHaveBeenCalledOnce();
    expect(Tray.latest).not.toBe(tray);
    expect(labels()[0]).toBe('就绪');
  });

  it('opens the window and posts the error if a request fails', async () => {
    const { click, windowCalls, notices } = await openTrayStage(() =>
      Promise.resolve(failure('noTalk')),
    );
    const posted: unknown[] = [];
    notices.listen(({ name, payload }) => posted.push([name, payload]));
    click('start');
    await expect.poll(() => posted).toEqual([['talkTrouble', appError('noTalk')]]);
    expect(windowCalls).toEqual(['showMain']);
  });

  it('offers devices, talking modes and conversations, and applies the choice', async () => {
    const { submenu, requests, notices, windowCalls } = await openTrayStage();
    const posted: unknown[] = [];
    notices.listen(({ name, payload }) => posted.push([name, payload]));
    expect(submenu('microphone').map(({ label, checked }) => [label, checked])).toEqual([
      ['System default', true],
      ['Mike && Co', false],
    ]);
    submenu('microphone')[1]?.click?.();
    submenu('mode')[1]?.click?.();
    submenu('recent')[0]?.click?.();
    await waitForTexts();
    expect(requests).toEqual([
      ['changeSettings', { audio: { microphone: { name: 'Mike & Co', hostApi: 'ALSA' } } }],
      ['changeSettings', { talking: { mode: 'hold' } }],
      ['openChat', { id: 'chat-2' }],
    ]);
    expect(windowCalls).toEqual(['showMain']);
    expect(posted).toEqual([['placeWanted', { screen: 'chat' }]]);
  });

  it('runs the chosen click actions, and waits for a second click only if needed', async () => {
    const { tray, settings, clock, windowCalls, requests } = await openTrayStage();
    tray.emit('click');
    expect(windowCalls).toEqual(['toggleMain']);
    settings.desktop = {
      ...settings.desktop,
      trayClick: 'showMini',
      trayDoubleClick: 'startOrEnd',
    };
    tray.emit('click');
    expect(windowCalls).toEqual(['toggleMain']);
    clock.advance(doubleClickMs);
    expect(windowCalls).toEqual(['toggleMain', 'showMini']);
    tray.emit('click');
    clock.advance(100);
    tray.emit('click');
    clock.advance(doubleClickMs);
    expect(windowCalls).toEqual(['toggleMain', 'showMini']);
    expect(requests).toEqual([['startTalk', { mode: 'audio' }]]);
  });

  it('draws icons for the chosen panel, and again when the system’s colours change', async () => {
    const { tray, settings, notices } = await openTrayStage();
    expect(tray.setImage.mock.lastCall?.[0].path).toContain('/linux/on-both/');
    settings.desktop = { ...settings.desktop, trayPanel: 'dark' };
    notices.post('settingsChanged', redactSettings(defaultSettings));
    await waitForTexts();
    expect(tray.setImage.mock.lastCall?.[0].path).toContain('/linux/on-dark/');
    const times = tray.setImage.mock.calls.length;
    nativeTheme.emit('updated');
    await waitForTexts();
    expect(tray.setImage).toHaveBeenCalledTimes(times + 1);
  });

  it('shows the progress of a download at most once a second, and pauses and resumes it', async () => {
    const { tray, notices, clock, click, requests } = await openTrayStage();
    const show = async (percent: number, kind: 'downloading' | 'paused'): Promise<void> => {
      notices.post('modelChanged', modelDownload(percent, kind));
      await waitForTexts();
    };
    const pass = async (milliseconds: number): Promise<void> => {
      clock.advance(milliseconds);
      await waitForTexts();
    };
    await show(1, 'downloading');
    const times = tray.setContextMenu.mock.calls.length;
    expect(tray.setToolTip).toHaveBeenLastCalledWith('Parley · Ready · Downloading the model: 1 %');
    for (const percent of [2, 3, 4]) await show(percent, 'downloading');
    expect(tray.setContextMenu).toHaveBeenCalledTimes(times);
    await pass(1000);
    expect(tray.setToolTip).toHaveBeenLastCalledWith('Parley · Ready · Downloading the model: 4 %');
    expect(tray.setContextMenu).toHaveBeenCalledTimes(times + 1);
    click('pauseModel');
    await show(4, 'paused');
    await pass(1000);
    click('downloadModel');
    expect(requests).toEqual([
      ['pauseModel', undefined],
      ['downloadModel', undefined],
    ]);
  });
});

const ended = (by: 'client' | 'server', offer: 'continue' | 'none'): TalkState => ({
  phase: 'ended',
  ending: { error: appError('closedSilently'), by, orderly: true },
  offer,
});
const live = (controls: Partial<TalkControls> = {}): TrayTalk => ({
  ...idleTalkView,
  state: { phase: 'live' },
  controls: { ...idleTalkView.controls, ...controls },
});
const lost = { kind: 'lost', error: appError('noMicrophone') } as const;

describe('the icon of the tray', () => {
  it.each([
    ['ready', idleTalkView],
    ['waiting', { ...idleTalkView, state: { phase: 'connecting' } }],
    ['waiting', { ...idleTalkView, state: { phase: 'ending' } }],
    ['live', live()],
    ['muted', live({ muted: true })],
    ['muted', live({ coughMuted: true })],
    ['muted', live({ talking: 'hold' })],
    ['live', live({ talking: 'hold', passing: true })],
    ['paused', live({ paused: true, muted: true })],
    ['trouble', { ...live(), devices: { ...idleTalkView.devices, microphone: lost } }],
    ['ready', { ...idleTalkView, state: ended('client', 'none') }],
    ['trouble', { ...idleTalkView, state: ended('server', 'continue') }],
  ] as const)('shows the state “%s”', (icon, talk) => {
    expect(trayModel(talk, englishDesktop).icon).toBe(icon);
  });
});

const enabledActions = (talk: TrayTalk): readonly string[] =>
  trayModel(talk, englishDesktop)
    .menu.flat()
    .filter(({ enabled }) => enabled)
    .map(({ label }) => label);

const always = ['Show Parley', 'Mini window', 'Quit Parley'];

describe('the menu of the tray', () => {
  it.each([
    ['before a talk', idleTalkView, ['Start talking']],
    ['in a talk', live(), ['End', 'Interrupt', 'Mute', 'Pause']],
    [
      'in a talk with a talk key',
      live({ talking: 'hold' }),
      ['End', 'Push to talk', 'Interrupt', 'Mute', 'Pause'],
    ],
    ['in a muted talk', live({ muted: true }), ['End', 'Interrupt', 'Unmute', 'Pause']],
    ['in a paused talk', live({ paused: true }), ['End', 'Mute', 'Resume']],
    [
      'in a talk whose last two minutes are held',
      { ...live(), storage: { ...idleTalkView.storage, recent: { kind: 'inMemory' } } },
      ['End', 'Interrupt', 'Mute', 'Pause', 'Keep the last two minutes'],
    ],
    [
      'in the queue',
      {
        ...idleTalkView,
        state: { phase: 'queued', position: 3, length: 7, etaSeconds: 9 },
      },
      ['Leave queue'],
    ],
    ['while a talk ends', { ...idleTalkView, state: { phase: 'ending' } }, []],
    ['after a talk', { ...idleTalkView, state: ended('client', 'none') }, ['Start talking']],
    [
      'after a talk that can continue',
      { ...idleTalkView, state: ended('server', 'continue') },
      ['Continue', 'Start talking'],
    ],
  ] as const)('offers the possible actions %s', (_when, talk, expected) => {
    expect(enabledActions(talk)).toEqual([...expected, ...always]);
  });
});

describe('the status of the tray', () => {
  it('reports whether the talk key or Mute keeps the microphone closed', () => {
    const statuses = [{}, { passing: true }, { passing: true, muted: true }].map(
      (controls) => trayModel(live({ talking: 'hold', ...controls }), englishDesktop).status,
    );
    expect(statuses).toEqual(['Live, talk key is up', 'Live', 'Live, muted']);
  });

  it('reports an open microphone before a talk is live', () => {
    const using = { kind: 'using', device: 'Built-in' } as const;
    const connecting: TrayTalk = { ...idleTalkView, state: { phase: 'connecting' } };
    const open = { ...connecting, devices: { ...connecting.devices, microphone: using } };
    expect(trayModel(connecting, englishDesktop).status).toBe('Connecting');
    expect(trayModel(open, englishDesktop).status).toBe('Connecting · microphone is open');
  });
});

describe('a download of the model', () => {
  const part = { bytes: 3996, totalBytes: 10_000 };
  const downloading: ModelFilesState = {
    ...part,
    kind: 'downloading',
    file: 1,
    files: 10,
    bytesPerSecond: 100,
    secondsLeft: 61,
    mirror: 'mirror.example',
  };
  it.each([
    [downloading, 'Ready · Downloading the model: 39 %, 2 min left', ['pauseModel']],
    [
      { ...downloading, secondsLeft: undefined },
      'Ready · Downloading the model: 39 %',
      ['pauseModel'],
    ],
    [
      { ...downloading, kind: 'paused' },
      'Ready · The model’s download is paused: 39 %',
      ['downloadModel'],
    ],
    [{ ...part, kind: 'verifying' }, 'Ready · Checking the model: 39 %', []],
    [{ ...part, kind: 'missing' }, 'Ready', []],
  ] as const)('shows its progress and the possible actions (%#)', (files, status, actions) => {
    const { menu, ...model } = trayModel(idleTalkView, englishDesktop, false, files);
    expect(model.status).toBe(status);
    const downloadGroup = menu.length > 3 ? menu[1] : [];
    expect(downloadGroup?.map(({ action }) => action)).toEqual(actions);
  });
});

describe('the icon files of the tray', () => {
  it.each([
    ['system', 'linux', true, 'on-both'],
    ['system', 'win32', true, 'on-dark'],
    ['system', 'win32', false, 'on-light'],
    ['dark', 'linux', false, 'on-dark'],
    ['light', 'win32', true, 'on-light'],
    ['dark', 'darwin', false, 'template'],
  ] as const)('for the panel %s on %s, dark: %s, are in %s', (panel, platform, isDark, folder) => {
    expect(chooseTrayInks(panel, platform, isDark)).toBe(folder);
  });
});
