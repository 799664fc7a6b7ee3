import { describe, expect, it } from 'vitest';
import { trayFace } from '../../../../../electron/hosts/desktop/tray-face.ts';
import type { TrayTalk } from '../../../../../electron/hosts/desktop/tray-face.ts';
import { chinese, english } from '../../../../../electron/hosts/desktop/words.ts';
import type { TalkControls } from '../../../../../shared/talk/talk-controls.ts';
import type { TalkState } from '../../../../../shared/talk/talk-state.ts';
import { quietTalk } from '../../../../../shared/talk/talk-view.ts';

const ended = (by: 'client' | 'server', offer: 'continue' | 'none'): TalkState => ({
  phase: 'ended',
  ending: { reason: 'x', by, message: 'x', orderly: true },
  offer,
});
const live = (controls: Partial<TalkControls> = {}): TrayTalk => ({
  ...quietTalk,
  state: { phase: 'live' },
  controls: { ...quietTalk.controls, ...controls },
});
const lost = { kind: 'lost', problem: 'Connect one.' } as const;

describe('the sign of the tray', () => {
  it.each([
    ['ready', quietTalk],
    ['waiting', { ...quietTalk, state: { phase: 'connecting' } }],
    ['waiting', { ...quietTalk, state: { phase: 'ending' } }],
    ['live', live()],
    ['muted', live({ muted: true })],
    ['muted', live({ coughMuted: true })],
    ['paused', live({ paused: true, muted: true })],
    ['trouble', { ...live(), devices: { ...quietTalk.devices, microphone: lost } }],
    ['ready', { ...quietTalk, state: ended('client', 'none') }],
    ['trouble', { ...quietTalk, state: ended('server', 'continue') }],
  ] as const)('is %s', (sign, talk) => {
    expect(trayFace(talk, english).sign).toBe(sign);
  });
});

/** What can be chosen. */
const choices = (talk: TrayTalk): readonly string[] =>
  trayFace(talk, english)
    .menu.flat()
    .filter(({ enabled }) => enabled)
    .map(({ label }) => label);

const always = ['Show Parley', 'Mini window', 'Quit Parley'];

describe('the menu of the tray', () => {
  it.each([
    ['before a talk', quietTalk, ['Start talking']],
    ['in a talk', live(), ['End', 'Interrupt', 'Mute']],
    ['muted', live({ muted: true }), ['End', 'Interrupt', 'Unmute']],
    ['paused', live({ paused: true }), ['End', 'Mute']],
    [
      'in line',
      {
        ...quietTalk,
        state: { phase: 'queued', position: 3, length: 7, etaSeconds: 9 },
      },
      ['Leave the line'],
    ],
    ['while it ends', { ...quietTalk, state: { phase: 'ending' } }, []],
    ['after a talk', { ...quietTalk, state: ended('client', 'none') }, ['Start talking']],
    [
      'after one that can go on',
      { ...quietTalk, state: ended('server', 'continue') },
      ['Go on where we were', 'Start talking'],
    ],
  ] as const)('offers %s what can be done', (_when, talk, expected) => {
    expect(choices(talk)).toEqual([...expected, ...always]);
  });

  it('keeps its places, so that a hand finds them', () => {
    const deeds = (talk: TrayTalk) =>
      trayFace(talk, english)
        .menu.flat()
        .map(({ deed }) => deed);
    expect(deeds(quietTalk)).toEqual([
      'start',
      'interrupt',
      'mute',
      'showMain',
      'showMini',
      'quit',
    ]);
    expect(deeds(live())).toEqual(['end', ...deeds(quietTalk).slice(1)]);
  });

  it('says in both languages how it stands', () => {
    const queued: TrayTalk = {
      ...quietTalk,
      state: { phase: 'queued', position: 3, length: 7, etaSeconds: 9 },
    };
    expect(trayFace(queued, english).status).toBe('Waiting in line · place 3');
    expect(trayFace(queued, chinese).status).toBe('排队中 · 第 3 位');
    expect(trayFace(live({ muted: true }), chinese).status).toBe('通话中，已静音');
  });
});
