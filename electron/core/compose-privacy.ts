import { failure } from '../../shared/errors/app-error.ts';
import { join } from 'node:path';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import type { ChatServices } from './compose-chat.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { TalkServices } from './compose-talk.ts';
import type { VoiceServices } from './compose-voices.ts';
import type { PrivacyHandlers } from '../controllers/controller-handlers.ts';
import { createPrivacyHandlers } from '../controllers/privacy-handlers.ts';
import type { StoredDataLocation } from '../controllers/privacy-handlers.ts';
import type { NoticeBoard } from '../ipc/notice-board.ts';
import type { DataFolder, DataFolderItem } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';

interface Deps
  extends
    Pick<ChatServices, 'chats'>,
    Pick<SettingsServices, 'settings' | 'endpoints'>,
    Pick<TalkServices, 'talk' | 'tapes'>,
    Pick<VoiceServices, 'voices'> {
  readonly folder: string;
  readonly notices: NoticeBoard;
}

export function composePrivacy(deps: Deps): PrivacyHandlers {
  const { folder, chats, settings, endpoints, talk, tapes, voices, notices } = deps;
  const at = (name: string): DataFolder => createDataFolder(join(folder, name));

  const chatsLocation: StoredDataLocation = {
    path: at('chats').path,
    measure: () => measureAll([at('chats'), at('damaged-chats')], () => true),
    clear: async () => (await chats()).removeAll(),
  };

  const tapesLocation: StoredDataLocation = {
    path: at('tapes').path,
    measure: () => measureAll([at('tapes')], () => true),
    clear: async () => {
      if (talk.active) {
        return failure('talkGoingOn');
      }
      await tapes.finish();
      return removeAll(at('tapes'));
    },
  };

  const voicesLocation: StoredDataLocation = {
    path: at('voices').path,
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
  const tokensLocation: StoredDataLocation = {
    path: join(folder, tokenFile),
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
    chats: chatsLocation,
    tapes: tapesLocation,
    voices: voicesLocation,
    tokens: tokensLocation,
  });
}

const done: Outcome<undefined> = { ok: true, value: undefined };

async function measureAll(
  folders: readonly DataFolder[],
  counts: (item: DataFolderItem) => boolean,
): Promise<Outcome<{ readonly count: number; readonly bytes: number }>> {
  const lists = await Promise.all(folders.map((folder) => folder.list()));
  const items: DataFolderItem[] = [];
  for (const list of lists) {
    if (!list.ok) return list;
    items.push(...list.value);
  }
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  return { ok: true, value: { count: items.filter(counts).length, bytes } };
}

async function removeAll(folder: DataFolder): Promise<Outcome<undefined>> {
  const items = await folder.list();
  if (!items.ok) return items;
  const removed = await Promise.all(items.value.map(({ name }) => folder.remove(name)));
  return removed.find(({ ok }) => !ok) ?? done;
}
