import { failure, appError } from '../../../../../shared/errors/app-error.ts';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTray } from '../../../../../electron/hosts/desktop/tray.ts';
import { trayIconNames } from '../../../../../electron/hosts/desktop/tray-model.ts';
import type { Parley } from '../../../../../electron/core/compose-parley.ts';
import { NoticeBoard } from '../../../../../electron/ipc/notice-board.ts';
import { successReply } from '../../../../../shared/ipc/reply.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { idleTalkView } from '../../../../../shared/talk/talk-view.ts';
import type { TalkView } from '../../../../../shared/talk/talk-view.ts';
import { app, Tray } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
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

/** A tray over a core whose talk, settings and answers the test holds. */
function open(answers: Parley['answer'] = () => Promise.resolve(successReply(undefined))) {
  const notices = new NoticeBoard();
  const asked: unknown[] = [];
  const talk: { view: TalkView } = { view: idleTalkView };
  const appearance: { language: 'system' | 'zh' } = { language: 'system' };
  const did: string[] = [];
  const core = {
    notices,
    talk,
    lifetime,
    log: new FakeLog(),
    settings: { get: () => ({ appearance }) },
    answer: (name: unknown, input: unknown) => {
      asked.push([name, input]);
      return answers(name, input);
    },
  };
  openTray(core as unknown as Parley, {
    shown: () => ({ main: true, mini: false }),
    showMain: () => did.push('showMain'),
    showMini: () => did.push('showMini'),
    closeMini: () => did.push('closeMini'),
  });
  const tray = Tray.latest;
  if (tray === undefined) throw new Error('There is no tray.');
  const items = () => tray.setContextMenu.mock.lastCall?.[0].items ?? [];
  return {
    tray,
    notices,
    asked,
    did,
    appearance,
    become: (part: Partial<TalkView>) => {
      talk.view = { ...talk.view, ...part };
      notices.post('talkState', talk.view.state);
    },
    click: (id: string) =>
      items()
        .find((item) => item.id === id)
        ?.click?.(),
    labels: () => items().flatMap(({ label }) => (label === undefined ? [] : [label])),
  };
}

describe('the tray', () => {
  it('follows the talk with its icon, its tip and its menu, and changes nothing otherwise', () => {
    const { tray, become, labels, notices } = open();
    expect(tray.setImage.mock.lastCall?.[0].path).toMatch(/ready\.png$/);
    become({ state: { phase: 'live' } });
    expect(tray.setImage.mock.lastCall?.[0].path).toMatch(/live\.png$/);
    expect(tray.setToolTip).toHaveBeenLastCalledWith('Parley · Live');
    expect(labels().slice(0, 4)).toEqual(['Live', 'End', 'Interrupt', 'Mute']);
    const times = tray.setContextMenu.mock.calls.length;
    become({});
    notices.post('level', { who: 'you', rmsDb: -20, peakDb: -10 });
    expect(tray.setContextMenu).toHaveBeenCalledTimes(times);
  });

  it('speaks the language of the settings as soon as that is another', () => {
    const { labels, appearance, notices } = open();
    appearance.language = 'zh';
    notices.post('settingsChanged', {} as never);
    expect(labels()[0]).toBe('就绪');
  });

  it('asks by the same requests as the pages do', () => {
    const { become, click, asked, did } = open();
    const quit = vi.spyOn(app, 'quit').mockImplementation(() => undefined);
    click('start');
    become({ state: { phase: 'live' } });
    for (const id of ['interrupt', 'mute', 'end', 'showMini', 'showMain', 'quit']) click(id);
    become({ controls: { ...idleTalkView.controls, muted: true } });
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

  it('says in the window what could not be done', async () => {
    const { click, did, notices } = open(() => Promise.resolve(failure('noTalk')));
    const told: unknown[] = [];
    notices.listen(({ name, payload }) => told.push([name, payload]));
    click('start');
    await eventually(() => {
      expect(told).toEqual([['talkTrouble', appError('noTalk')]]);
    });
    expect(did).toEqual(['showMain']);
  });

  it('has a picture of every sign for every system', () => {
    for (const platform of ['linux', 'win32', 'darwin']) {
      for (const sign of trayIconNames) {
        for (const suffix of ['', '@2x']) {
          const path = `resources/tray/${platform}/${sign}${suffix}.png`;
          expect(existsSync(path), path).toBe(true);
        }
      }
    }
  });

  it('goes with the core', async () => {
    const { tray, become } = open();
    await lifetime.end();
    expect(tray.destroy).toHaveBeenCalledOnce();
    const times = tray.setImage.mock.calls.length;
    become({ state: { phase: 'live' } });
    expect(tray.setImage).toHaveBeenCalledTimes(times);
  });
});
