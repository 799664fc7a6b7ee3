import { failure } from '../../../../../shared/errors/app-error.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTray } from '../../../../../electron/hosts/desktop/tray.ts';
import { trayIconNames } from '../../../../../electron/hosts/desktop/tray-model.ts';
import type { Parley } from '../../../../../electron/core/compose-parley.ts';
import { NoticeBoard } from '../../../../../electron/ipc/notice-board.ts';
import { languageIds, languages } from '../../../../../shared/i18n/languages.ts';
import { successReply } from '../../../../../shared/ipc/reply.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { defaultSettings } from '../../../../../shared/settings/default-settings.ts';
import { redactSettings } from '../../../../../shared/settings/redacted-settings.ts';
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

/** The words of a language are loaded when they are first wanted. */
async function settled(): Promise<void> {
  for (const id of languageIds) await languages[id].core();
  await new Promise((resolve) => setTimeout(resolve));
}

/** A tray over a core whose talk, settings and answers the test holds; it has loaded its words. */
async function open(answers: Parley['answer'] = () => Promise.resolve(successReply(undefined))) {
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
  openTray(core, {
    shown: () => ({ main: true, mini: false }),
    showMain: () => did.push('showMain'),
    showMini: () => did.push('showMini'),
    closeMini: () => did.push('closeMini'),
  });
  await settled();
  const tray = Tray.latest;
  if (tray === undefined) throw new Error('There is no tray.');
  const items = () => tray.setContextMenu.mock.lastCall?.[0].items ?? [];
  return {
    tray,
    notices,
    asked,
    did,
    appearance,
    become: async (part: Partial<TalkView>) => {
      talk.view = { ...talk.view, ...part };
      notices.post('talkState', talk.view.state);
      await settled();
    },
    click: (id: string) =>
      items()
        .find((item) => item.id === id)
        ?.click?.(),
    labels: () => items().flatMap(({ label }) => (label === undefined ? [] : [label])),
  };
}

describe('the tray', () => {
  it('follows the talk with its icon, its tip and its menu, and changes nothing otherwise', async () => {
    const { tray, become, labels, notices } = await open();
    expect(tray.setImage.mock.lastCall?.[0].path).toMatch(/ready\.png$/);
    await become({ state: { phase: 'live' } });
    expect(tray.setImage.mock.lastCall?.[0].path).toMatch(/live\.png$/);
    expect(tray.setToolTip).toHaveBeenLastCalledWith('Parley · Live');
    expect(labels().slice(0, 4)).toEqual(['Live', 'End', 'Interrupt', 'Mute']);
    const times = tray.setContextMenu.mock.calls.length;
    await become({});
    notices.post('level', { who: 'you', rmsDb: -20, peakDb: -10 });
    await settled();
    expect(tray.setContextMenu).toHaveBeenCalledTimes(times);
  });

  it('speaks the language of the settings as soon as that is another', async () => {
    const { labels, appearance, notices } = await open();
    appearance.language = 'zh';
    notices.post('settingsChanged', redactSettings(defaultSettings));
    await settled();
    expect(labels()[0]).toBe('就绪');
  });

  it('asks by the same requests as the pages do', async () => {
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

  it('says in the window what could not be done', async () => {
    const { click, did, notices } = await open(() => Promise.resolve(failure('noTalk')));
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
    const { tray, become } = await open();
    await lifetime.end();
    expect(tray.destroy).toHaveBeenCalledOnce();
    const times = tray.setImage.mock.calls.length;
    await become({ state: { phase: 'live' } });
    expect(tray.setImage).toHaveBeenCalledTimes(times);
  });
});
