import { describe, expect, it } from 'vitest';
import { trayModel, type TrayTalk } from '../../../../../electron/hosts/desktop/tray-items.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { englishDesktop } from '../../../../../shared/i18n/en/core-messages.ts';
import { chineseDesktop } from '../../../../../shared/i18n/zh/core-messages.ts';
import type { ModelFilesState } from '../../../../../shared/model/local-model.ts';
import type { TalkControls, TalkState } from '../../../../../shared/talk/talk-state.ts';
import { idleTalkView } from '../../../../../shared/talk/talk-view.ts';

const ended = (by: 'client' | 'server', offer: 'continue' | 'none'): TalkState => ({
  phase: 'ended',
  ending: { error: appError('closedSilently'), by, orderly: true },
  offer,
});
it('shows an open microphone before a talk is live', () => {
  const using = { kind: 'using', device: 'Built-in' } as const;
  const connecting: TrayTalk = { ...idleTalkView, state: { phase: 'connecting' } };
  const open = { ...connecting, devices: { ...connecting.devices, microphone: using } };
  expect(trayModel(connecting, englishDesktop).status).toBe('Connecting');
  expect(trayModel(open, englishDesktop).status).toBe('Connecting · microphone is open');
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
    ['paused', live({ paused: true, muted: true })],
    ['trouble', { ...live(), devices: { ...idleTalkView.devices, microphone: lost } }],
    ['ready', { ...idleTalkView, state: ended('client', 'none') }],
    ['trouble', { ...idleTalkView, state: ended('server', 'continue') }],
  ] as const)('is %s', (sign, talk) => {
    expect(trayModel(talk, englishDesktop).icon).toBe(sign);
  });
});

/** The enabled actions. */
const choices = (talk: TrayTalk): readonly string[] =>
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
      'in one with a talk key',
      live({ talking: 'hold' }),
      ['End', 'Push to talk', 'Interrupt', 'Mute', 'Pause'],
    ],
    ['muted', live({ muted: true }), ['End', 'Interrupt', 'Unmute', 'Pause']],
    ['paused', live({ paused: true }), ['End', 'Mute', 'Resume']],
    [
      'where the last two minutes are held',
      { ...live(), keeping: { ...idleTalkView.keeping, recent: { kind: 'held' } } },
      ['End', 'Interrupt', 'Mute', 'Pause', 'Keep the last two minutes'],
    ],
    [
      'in line',
      {
        ...idleTalkView,
        state: { phase: 'queued', position: 3, length: 7, etaSeconds: 9 },
      },
      ['Leave queue'],
    ],
    ['while it ends', { ...idleTalkView, state: { phase: 'ending' } }, []],
    ['after a talk', { ...idleTalkView, state: ended('client', 'none') }, ['Start talking']],
    [
      'after a talk that can continue',
      { ...idleTalkView, state: ended('server', 'continue') },
      ['Continue', 'Start talking'],
    ],
  ] as const)('offers the possible actions %s', (_when, talk, expected) => {
    expect(choices(talk)).toEqual([...expected, ...always]);
  });

  it.each([
    [idleTalkView, englishDesktop, 'Start talking, muted'],
    [{ ...idleTalkView, state: ended('server', 'none') }, chineseDesktop, '开始通话（静音）'],
  ] as const)('says that the next talk begins muted', (talk, words, label) => {
    const items = trayModel(talk, words, true).menu.flat();
    expect(items.find(({ action }) => action === 'start')?.label).toBe(label);
  });

  it('keeps its entries in place', () => {
    const actions = (talk: TrayTalk) =>
      trayModel(talk, englishDesktop)
        .menu.flat()
        .map(({ action }) => action);
    expect(actions(idleTalkView)).toEqual([
      'start',
      'talkKey',
      'interrupt',
      'mute',
      'pause',
      'showMain',
      'showMini',
      'quit',
    ]);
    expect(actions(live())).toEqual(['end', ...actions(idleTalkView).slice(1)]);
  });

  it('shows the status in both languages', () => {
    const queued: TrayTalk = {
      ...idleTalkView,
      state: { phase: 'queued', position: 3, length: 7, etaSeconds: 9 },
    };
    expect(trayModel(queued, englishDesktop).status).toBe('Waiting in queue · place 3');
    expect(trayModel(queued, chineseDesktop).status).toBe('排队中 · 第 3 位');
    expect(trayModel(live({ muted: true }), chineseDesktop).status).toBe('通话中，已静音');
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
  ] as const)('shows its progress and the possible actions', (files, status, actions) => {
    const { menu, ...model } = trayModel(idleTalkView, englishDesktop, false, files);
    expect(model.status).toBe(status);
    expect(menu.length > 3 ? menu[1]?.map(({ action }) => action) : []).toEqual(actions);
  });

  it('shows its progress in Chinese', () => {
    const { status } = trayModel(idleTalkView, chineseDesktop, false, downloading);
    expect(status).toBe('就绪 · 正在下载模型：39%，还需 2 分钟');
  });
});
