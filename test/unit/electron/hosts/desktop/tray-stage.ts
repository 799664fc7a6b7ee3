import { expect, vi } from 'vitest';
import { NoticeBoard } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import type { Parley } from '../../../../../electron/app/parley.ts';
import { openTray } from '../../../../../electron/hosts/desktop/tray.ts';
import { languageIds, languages } from '../../../../../shared/i18n/languages.ts';
import { successReply } from '../../../../fakes/success-reply.ts';
import type { Lifetime } from '../../../../../shared/lifetime.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { idleTalkView, type TalkView } from '../../../../../shared/talk/talk-view.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { Tray } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { chats, devices } from './tray-lists.ts';

/** Loads the texts of every language, and waits until the tray has them. */
export async function wordsLoaded(): Promise<void> {
  for (const id of languageIds) await languages[id].core();
  await new Promise((resolve) => setTimeout(resolve));
}

/** A tray over a core whose talk, settings and answers the test sets. Its texts are loaded. */
export async function openTrayStage(
  lifetime: Lifetime,
  answers: Parley['answer'] = () => Promise.resolve(successReply(undefined)),
) {
  const notices = new NoticeBoard();
  const asked: unknown[] = [];
  const talk: { view: TalkView } = { view: idleTalkView };
  const appearance: { language: 'system' | 'zh' } = { language: 'system' };
  const settings = { ...defaultSettings, appearance };
  const did: string[] = [];
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
      asked.push([name, input]);
      return answers(name, input);
    },
  };
  let panelCame: (shown: boolean) => void = () => undefined;
  openTray(
    core,
    {
      showMain: () => did.push('showMain'),
      toggleMain: () => did.push('toggleMain'),
      showMini: () => did.push('showMini'),
    },
    {
      onTrayChange: (changed) => {
        panelCame = changed;
        return () => undefined;
      },
    },
  );
  await wordsLoaded();
  // Device queries may hang or crash, so they do not run at the start.
  expect(listDevices).not.toHaveBeenCalled();
  clock.advance(2000);
  await wordsLoaded();
  const tray = Tray.latest;
  if (tray === undefined) throw new Error('The tray has not been created.');
  const latest = () => Tray.latest ?? tray;
  const items = () => latest().setContextMenu.mock.lastCall?.[0].items ?? [];
  return {
    tray,
    settings,
    clock,
    panelCame,
    submenu: (id: string) => items().find((item) => item.id === id)?.submenu ?? [],
    notices,
    asked,
    did,
    appearance,
    become: async (part: Partial<TalkView>) => {
      talk.view = { ...talk.view, ...part };
      notices.post('talkState', talk.view.state);
      await wordsLoaded();
    },
    click: (id: string) =>
      items()
        .find((item) => item.id === id)
        ?.click?.(),
    labels: () => items().flatMap(({ label }) => (label === undefined ? [] : [label])),
  };
}
