import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Parley } from '../../../../../electron/app/parley.ts';
import { doubleClickMs } from '../../../../../electron/hosts/desktop/tray-menu.ts';
import { appError, failure } from '../../../../../shared/errors/app-error.ts';
import { successReply } from '../../../../fakes/success-reply.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import type { LocalModelState } from '../../../../../shared/model/local-model.ts';
import { redactSettings } from '../../../../../shared/settings/redacted-settings.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { idleTalkView } from '../../../../../shared/talk/talk-view.ts';
import { eventually } from '../../../../fakes/eventually.ts';
import { app, nativeTheme, Tray } from '../../../../fakes/fake-electron.ts';
import { openTrayStage, wordsLoaded } from './tray-stage.ts';

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

const open = (answers?: Parley['answer']) => openTrayStage(lifetime, answers);

describe('the tray', () => {
  it('follows the talk with its icon, tooltip and menu, and changes nothing otherwise', async () => {
    const { tray, become, labels, notices } = await open();
    expect(tray.setImage.mock.lastCall?.[0].path).toMatch(/ready\.png$/);
    await become({ state: { phase: 'live' } });
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
    await become({});
    notices.post('level', { who: 'you', rmsDb: -20, peakDb: -10 });
    await wordsLoaded();
    expect(tray.setContextMenu).toHaveBeenCalledTimes(times);
  });

  it('offers to start muted if set, but not with a talk key', async () => {
    const { settings, notices, labels, click, asked } = await open();
    const change = async (talking: Partial<typeof settings.talking>): Promise<void> => {
      settings.talking = { ...settings.talking, ...talking };
      notices.post('settingsChanged', redactSettings(defaultSettings));
      await wordsLoaded();
    };
    await change({ startMuted: true });
    expect(labels()[1]).toBe('Start talking, muted');
    click('start');
    expect(asked).toEqual([['startTalk', { mode: 'audio' }]]);
    await change({ mode: 'tap' });
    expect(labels()[1]).toBe('Start talking');
  });

  it('follows the language of the settings', async () => {
    const { labels, appearance, notices } = await open();
    appearance.language = 'zh';
    notices.post('settingsChanged', redactSettings(defaultSettings));
    await wordsLoaded();
    expect(labels()[0]).toBe('就绪');
  });

  it('sends the same requests as the pages', async () => {
    const { become, click, asked, did } = await open();
    const quit = vi.spyOn(app, 'quit').mockImplementation(() => undefined);
    click('start');
    await become({ state: { phase: 'live' } });
    for (const id of ['interrupt', 'mute', 'end', 'showMini', 'showMain', 'quit']) click(id);
    await become({ controls: { ...idleTalkView.controls, muted: true } });
    click('unmute');
    expect(asked).toEqual([
      ['startTalk', { mode: 'audio' }],
      ['interruptTalk', undefined],
      ['setMuted', { muted: true }],
      ['endTalk', undefined],
      ['setMuted', { muted: false }],
    ]);
    expect(did).toEqual(['showMini', 'showMain']);
    expect(quit).toHaveBeenCalledOnce();
  });

  it('shows failures in the window', async () => {
    const { click, did, notices } = await open(() => Promise.resolve(failure('noTalk')));
    const told: unknown[] = [];
    notices.listen(({ name, payload }) => told.push([name, payload]));
    click('start');
    await eventually(() => {
      expect(told).toEqual([['talkTrouble', appError('noTalk')]]);
    });
    expect(did).toEqual(['showMain']);
  });

  it('offers devices, talking modes and conversations, and applies the choice', async () => {
    const { submenu, asked, notices, did } = await open();
    const told: unknown[] = [];
    notices.listen(({ name, payload }) => told.push([name, payload]));
    expect(submenu('microphone').map(({ label, checked }) => [label, checked])).toEqual([
      ['System default', true],
      ['Mike && Co', false],
    ]);
    submenu('microphone')[1]?.click?.();
    submenu('mode')[1]?.click?.();
    submenu('recent')[0]?.click?.();
    await wordsLoaded();
    expect(asked).toEqual([
      ['changeSettings', { audio: { microphone: { name: 'Mike & Co', hostApi: 'ALSA' } } }],
      ['changeSettings', { talking: { mode: 'hold' } }],
      ['openChat', { id: 'chat-2' }],
    ]);
    expect(did).toEqual(['showMain']);
    expect(told).toEqual([['placeWanted', { screen: 'chat' }]]);
  });

  it('opens the chat screen for a deleted conversation and reports it', async () => {
    const { submenu, notices } = await open((name) =>
      Promise.resolve(name === 'openChat' ? failure('chatGone') : successReply(undefined)),
    );
    const told: unknown[] = [];
    notices.listen(({ name, payload }) => told.push([name, payload]));
    submenu('recent')[0]?.click?.();
    await wordsLoaded();
    expect(told).toEqual([
      ['placeWanted', { screen: 'chat' }],
      ['chatProblem', appError('chatGone')],
    ]);
  });

  it('runs the chosen click actions, and waits for a second click only if needed', async () => {
    const { tray, settings, clock, did, asked } = await open();
    tray.emit('click');
    expect(did).toEqual(['toggleMain']);
    settings.desktop = {
      ...settings.desktop,
      trayClick: 'showMini',
      trayDoubleClick: 'startOrEnd',
    };
    tray.emit('click');
    expect(did).toEqual(['toggleMain']);
    clock.advance(doubleClickMs);
    expect(did).toEqual(['toggleMain', 'showMini']);
    tray.emit('click');
    clock.advance(100);
    tray.emit('click');
    clock.advance(doubleClickMs);
    expect(did).toEqual(['toggleMain', 'showMini']);
    expect(asked).toEqual([['startTalk', { mode: 'audio' }]]);
  });

  it('draws for the chosen panel, and again when the system’s colours change', async () => {
    const { tray, settings, notices } = await open();
    expect(tray.setImage.mock.lastCall?.[0].path).toContain('/linux/on-both/');
    settings.desktop = { ...settings.desktop, trayPanel: 'dark' };
    notices.post('settingsChanged', redactSettings(defaultSettings));
    await wordsLoaded();
    expect(tray.setImage.mock.lastCall?.[0].path).toContain('/linux/on-dark/');
    const times = tray.setImage.mock.calls.length;
    nativeTheme.emit('updated');
    await wordsLoaded();
    expect(tray.setImage).toHaveBeenCalledTimes(times + 1);
  });

  it('shows a download once a second at most, and pauses it', async () => {
    const { tray, notices, clock, click, asked } = await open();
    const show = async (percent: number, kind: 'downloading' | 'paused'): Promise<void> => {
      notices.post('modelChanged', modelDownload(percent, kind));
      await wordsLoaded();
    };
    const pass = async (milliseconds: number): Promise<void> => {
      clock.advance(milliseconds);
      await wordsLoaded();
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
    expect(asked).toEqual([
      ['pauseModel', undefined],
      ['downloadModel', undefined],
    ]);
    await pass(1000);
    const after = vi.spyOn(clock, 'after');
    await pass(5000);
    expect(after).not.toHaveBeenCalled();
  });

  it('is shown again to a panel that starts later', async () => {
    const { tray, panelCame, labels } = await open();
    panelCame(true);
    await wordsLoaded();
    expect(tray.destroy).toHaveBeenCalledOnce();
    expect(Tray.latest).not.toBe(tray);
    expect(labels()[0]).toBe('Ready');
  });

  it('is removed with the core', async () => {
    const { tray, become } = await open();
    await lifetime.end();
    expect(tray.destroy).toHaveBeenCalledOnce();
    const times = tray.setImage.mock.calls.length;
    await become({ state: { phase: 'live' } });
    expect(tray.setImage).toHaveBeenCalledTimes(times);
  });
});
