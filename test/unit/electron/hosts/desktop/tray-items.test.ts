import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import {
  trayIconNames,
  trayModel,
  type TrayTalk,
} from '../../../../../electron/hosts/desktop/tray-items.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { englishDesktop } from '../../../../../shared/i18n/en/core-messages.ts';
import { chineseDesktop } from '../../../../../shared/i18n/zh/core-messages.ts';
import type { ModelFilesState } from '../../../../../shared/model/local-model.ts';
import type { TalkControls, TalkState } from '../../../../../shared/talk/talk-state.ts';
import { idleTalkView } from '../../../../../shared/talk/talk-view.ts';
import { chooseTrayInks } from '../../../../../electron/hosts/desktop/tray.ts';
import { panelColours } from '../../../../../scripts/lib/icon-drawing.mjs';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

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
    ['paused', live({ paused: true, muted: true })],
    ['trouble', { ...live(), devices: { ...idleTalkView.devices, microphone: lost } }],
    ['ready', { ...idleTalkView, state: ended('client', 'none') }],
    ['trouble', { ...idleTalkView, state: ended('server', 'continue') }],
  ] as const)('is %s', (icon, talk) => {
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

  it.each([
    [idleTalkView, englishDesktop, 'Start talking, muted'],
    [{ ...idleTalkView, state: ended('server', 'none') }, chineseDesktop, '开始通话（静音）'],
  ] as const)('says that the next talk begins muted (%#)', (talk, words, label) => {
    const items = trayModel(talk, words, true).menu.flat();
    expect(items.find(({ action }) => action === 'start')?.label).toBe(label);
  });

  it('keeps its entries in place when a talk begins', () => {
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
});

describe('the status of the tray', () => {
  it('reports an open microphone before a talk is live', () => {
    const using = { kind: 'using', device: 'Built-in' } as const;
    const connecting: TrayTalk = { ...idleTalkView, state: { phase: 'connecting' } };
    const open = { ...connecting, devices: { ...connecting.devices, microphone: using } };
    expect(trayModel(connecting, englishDesktop).status).toBe('Connecting');
    expect(trayModel(open, englishDesktop).status).toBe('Connecting · microphone is open');
  });

  it('is in the language of the texts', () => {
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
  ] as const)('shows its progress and the possible actions (%#)', (files, status, actions) => {
    const { menu, ...model } = trayModel(idleTalkView, englishDesktop, false, files);
    expect(model.status).toBe(status);
    const downloadGroup = menu.length > 3 ? menu[1] : [];
    expect(downloadGroup?.map(({ action }) => action)).toEqual(actions);
  });

  it('shows its progress in Chinese', () => {
    const { status } = trayModel(idleTalkView, chineseDesktop, false, downloading);
    expect(status).toBe('就绪 · 正在下载模型：39%，还需 2 分钟');
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

  it.each([
    ['on-both', 3, ['#ffffff', '#000000']],
    ['on-light', 4.5, ['#ffffff', '#e6e6e6']],
    ['on-dark', 4.5, ['#000000', '#1f1f1f', '#2e3440']],
  ] as const)('in %s have a contrast of at least %s:1', (folder, least, panels) => {
    for (const ink of Object.values(panelColours[folder])) {
      for (const panel of panels)
        expect(contrast(ink, panel), `${ink} ${panel}`).toBeGreaterThan(least);
    }
  });

  it('exist for every icon, system, panel and density', () => {
    const scales = {
      linux: ['', '@1.5x', '@2x', '@3x'],
      win32: ['', '@1.25x', '@1.5x', '@2x', '@3x'],
      darwin: ['', '@2x', '@3x'],
    } as const;
    for (const [platform, suffixes] of Object.entries(scales)) {
      for (const folder of platform === 'darwin' ? ['.'] : ['on-both', 'on-light', 'on-dark']) {
        for (const icon of trayIconNames) {
          for (const suffix of suffixes) {
            const path = `resources/tray/${platform}/${folder}/${icon}${suffix}.png`;
            expect(existsSync(path), path).toBe(true);
          }
        }
      }
    }
  });
});

/** The contrast ratio of two colours, by WCAG. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
