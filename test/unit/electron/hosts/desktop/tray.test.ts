import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedDevice } from '../../../../../shared/audio/listed-device.ts';
import type { ChatSummary } from '../../../../../shared/chat/chat-thread.ts';
import { NoticeBoard } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import type { Parley } from '../../../../../electron/app/parley.ts';
import { openTray } from '../../../../../electron/hosts/desktop/tray.ts';
import { languageIds, languages } from '../../../../../shared/i18n/languages.ts';
import { successReply } from '../../../../fakes/success-reply.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { idleTalkView, type TalkView } from '../../../../../shared/talk/talk-view.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { app, nativeTheme, Tray } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { doubleClickMs } from '../../../../../electron/hosts/desktop/tray-menu.ts';
import { appError, failure } from '../../../../../shared/errors/app-error.ts';
import type { LocalModelState } from '../../../../../shared/model/local-model.ts';
import { redactSettings } from '../../../../../shared/settings/redacted-settings.ts';
import { eventually } from '../../../../fakes/eventually.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

let lifetime: Lifetime;

beforeEach(() => {
  lifetime = new Lifetime('tray under test');
});

afterEach(async () => {
  await lifetime.end();
  vi.restoreAllMocks();
  Tray.latest = undefined;
});

/** Its name has an ampersand, which starts a mnemonic in menus. */
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
    expect(labels().slice(0, 6)).toEqual([
      'Live',
      'End',
      'Push to talk',
      'Interrupt',
      'Mute',
      'Pause',
    ]);
    const times = tray.setContextMenu.mock.calls.length;
    await changeTalk({});
    notices.post('level', { who: 'you', rmsDb: -20, peakDb: -10 });
    await waitForTexts();
    expect(tray.setContextMenu).toHaveBeenCalledTimes(times);
  });

  it('says that a talk starts muted if that is set, but not with a talk key', async () => {
    const { settings, notices, labels, click, requests } = await openTrayStage();
    const change = async (talking: Partial<typeof settings.talking>): Promise<void> => {
      settings.talking = { ...settings.talking, ...talking };
      notices.post('settingsChanged', redactSettings(defaultSettings));
      await waitForTexts();
    };
    await change({ startMuted: true });
    expect(labels()[1]).toBe('Start talking, muted');
    click('start');
    expect(requests).toEqual([['startTalk', { mode: 'audio' }]]);
    await change({ mode: 'tap' });
    expect(labels()[1]).toBe('Start talking');
  });

  it('follows the language of the settings', async () => {
    const { labels, appearance, notices } = await openTrayStage();
    appearance.language = 'zh';
    notices.post('settingsChanged', redactSettings(defaultSettings));
    await waitForTexts();
    expect(labels()[0]).toBe('就绪');
  });

  it('sends a request for each action of a talk, and shows the windows itself', async () => {
    const { changeTalk, click, requests, windowCalls } = await openTrayStage();
    const quit = vi.spyOn(app, 'quit').mockImplementation(() => undefined);
    click('start');
    await changeTalk({ state: { phase: 'live' } });
    for (const id of ['interrupt', 'mute', 'end', 'showMini', 'showMain', 'quit']) click(id);
    await changeTalk({ controls: { ...idleTalkView.controls, muted: true } });
    click('unmute');
    expect(requests).toEqual([
      ['startTalk', { mode: 'audio' }],
      ['interruptTalk', undefined],
      ['setMuted', { muted: true }],
      ['endTalk', undefined],
      ['setMuted', { muted: false }],
    ]);
    expect(windowCalls).toEqual(['showMini', 'showMain']);
    expect(quit).toHaveBeenCalledOnce();
  });

  it('opens the window and posts the error if a request fails', async () => {
    const { click, windowCalls, notices } = await openTrayStage(() =>
      Promise.resolve(failure('noTalk')),
    );
    const posted: unknown[] = [];
    notices.listen(({ name, payload }) => posted.push([name, payload]));
    click('start');
    await eventually(() => {
      expect(posted).toEqual([['talkTrouble', appError('noTalk')]]);
    });
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

  it('opens the chat screen for a deleted conversation and reports it', async () => {
    const { submenu, notices } = await openTrayStage((name) =>
      Promise.resolve(name === 'openChat' ? failure('chatGone') : successReply(undefined)),
    );
    const posted: unknown[] = [];
    notices.listen(({ name, payload }) => posted.push([name, payload]));
    submenu('recent')[0]?.click?.();
    await waitForTexts();
    expect(posted).toEqual([
      ['placeWanted', { screen: 'chat' }],
      ['chatProblem', appError('chatGone')],
    ]);
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
    await pass(1000);
    const after = vi.spyOn(clock, 'after');
    await pass(5000);
    expect(after).not.toHaveBeenCalled();
  });

  it('is created again when a panel starts later', async () => {
    const { tray, onPanelChange, labels } = await openTrayStage();
    onPanelChange(true);
    await waitForTexts();
    expect(tray.destroy).toHaveBeenCalledOnce();
    expect(Tray.latest).not.toBe(tray);
    expect(labels()[0]).toBe('Ready');
  });

  it('is removed when the core ends', async () => {
    const { tray, changeTalk } = await openTrayStage();
    await lifetime.end();
    expect(tray.destroy).toHaveBeenCalledOnce();
    const times = tray.setImage.mock.calls.length;
    await changeTalk({ state: { phase: 'live' } });
    expect(tray.setImage).toHaveBeenCalledTimes(times);
  });
});
