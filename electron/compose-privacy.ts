import { join } from 'node:path';
import { createKeptFolder } from './adapters/kept-folder.ts';
import type { ChatDoors } from './compose-chat.ts';
import type { SettingsDoors } from './compose-settings.ts';
import type { TalkDoors } from './compose-talk.ts';
import type { VoiceDoors } from './compose-voices.ts';
import type { PrivacyHandlers } from './desk/desk-handlers.ts';
import { createPrivacyHandlers } from './desk/privacy-requests.ts';
import type { KeptPlace } from './desk/privacy-requests.ts';
import type { NoticeBoard } from './ipc/notice-board.ts';
import type { KeptFolder, KeptItem } from './ports/files.ts';
import type { Outcome } from './ports/outcome.ts';

interface Needs
  extends
    Pick<ChatDoors, 'chats'>,
    Pick<SettingsDoors, 'settings' | 'endpoints'>,
    Pick<TalkDoors, 'talk' | 'tapes'>,
    Pick<VoiceDoors, 'voices'> {
  readonly folder: string;
  readonly notices: NoticeBoard;
}

export function composePrivacy(needs: Needs): PrivacyHandlers {
  const { folder, chats, settings, endpoints, talk, tapes, voices, notices } = needs;
  const at = (name: string): KeptFolder => createKeptFolder(join(folder, name));

  const chatsPlace: KeptPlace = {
    place: at('chats').path,
    measure: () => measureAll([at('chats'), at('damaged-chats')], () => true),
    clear: async () => (await chats()).removeAll(),
  };

  const tapesPlace: KeptPlace = {
    place: at('tapes').path,
    measure: () => measureAll([at('tapes')], () => true),
    clear: async () => {
      if (talk.active) {
        return { ok: false, problem: 'A talk is going on; end it first.', why: 'goingOn' };
      }
      await tapes.finish();
      return removeAll(at('tapes'));
    },
  };

  const voicesPlace: KeptPlace = {
    place: at('voices').path,
    measure: () => measureAll([at('voices')], ({ name }) => name.endsWith('.wav')),
    clear: async () => {
      const list = await voices.list();
      if (!list.ok) return list;
      for (const { id } of list.value) await voices.remove(id);
      const rest = await removeAll(at('voices'));
      const left = await voices.list();
      if (left.ok) notices.post('voicesChanged', left.value);
      return rest;
    },
  };

  const tokenFile = 'tokens.json';
  const tokensPlace: KeptPlace = {
    place: join(folder, tokenFile),
    measure: async () => {
      const items = await at('.').list();
      if (!items.ok) return items;
      const bytes = items.value.find(({ name }) => name === tokenFile)?.bytes ?? 0;
      return { ok: true, value: { count: withToken().length, bytes } };
    },
    clear: async () => {
      const forgotten = withToken().map(({ id }) => endpoints.forgetToken(id));
      // Whoever is told that nothing is kept has nothing on the disk either.
      await endpoints.forgotten();
      const failed = forgotten.find((outcome) => !outcome.ok);
      return failed?.ok === false ? failed : done;
    },
  };
  const withToken = () => settings.get().endpoints.list.filter(({ hasToken }) => hasToken);

  return createPrivacyHandlers({
    chats: chatsPlace,
    tapes: tapesPlace,
    voices: voicesPlace,
    tokens: tokensPlace,
  });
}

const done: Outcome<undefined> = { ok: true, value: undefined };

async function measureAll(
  folders: readonly KeptFolder[],
  counts: (item: KeptItem) => boolean,
): Promise<Outcome<{ readonly count: number; readonly bytes: number }>> {
  const lists = await Promise.all(folders.map((folder) => folder.list()));
  const items: KeptItem[] = [];
  for (const list of lists) {
    if (!list.ok) return list;
    items.push(...list.value);
  }
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  return { ok: true, value: { count: items.filter(counts).length, bytes } };
}

async function removeAll(folder: KeptFolder): Promise<Outcome<undefined>> {
  const items = await folder.list();
  if (!items.ok) return items;
  const removed = await Promise.all(items.value.map(({ name }) => folder.remove(name)));
  return removed.find(({ ok }) => !ok) ?? done;
}
