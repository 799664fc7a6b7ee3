import { failure } from '../../shared/errors/app-error.ts';
import type { ChatController } from '../chat/chat-controller.ts';
import type { DataFolder } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { EndpointStore } from '../settings/endpoint-store.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { VoiceLibrary } from '../sound/voices/voice-library.ts';
import type { StoredDataLocation, StoredDataLocations } from './privacy-handlers.ts';
import type { TalkController } from './talk-controller.ts';
import type { PostNotice } from './talk-publisher.ts';
import type { TalkTapes } from './talk-tapes.ts';
import { crashesLocation, logsLocation, measureAll, removeAll } from './trace-locations.ts';

interface Deps {
  /** A folder of what Parley keeps, by its name in the state folder. */
  readonly folderNamed: (name: string) => DataFolder;
  readonly chats: () => Promise<Pick<ChatController, 'removeAll'>>;
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly endpoints: Pick<EndpointStore, 'forgetToken' | 'forgotten'>;
  readonly talk: Pick<TalkController, 'active'>;
  readonly tapes: Pick<TalkTapes, 'finish'>;
  readonly voices: Pick<VoiceLibrary, 'list' | 'remove'>;
  readonly post: PostNotice;
}

/** Where what is kept lies, how much it is, and how each kind of it is really deleted. */
export function storedDataLocations(deps: Deps): StoredDataLocations {
  const { folderNamed, chats } = deps;
  const chatFolders = [folderNamed('chats'), folderNamed('damaged-chats')];
  return {
    chats: {
      path: folderNamed('chats').path,
      measure: () => measureAll(chatFolders, () => true),
      clear: async () => (await chats()).removeAll(),
    },
    tapes: tapesLocation(deps),
    voices: voicesLocation(deps),
    tokens: tokensLocation(deps),
    logs: logsLocation(folderNamed),
    crashes: crashesLocation(folderNamed),
  };
}

function tapesLocation({ folderNamed, talk, tapes }: Deps): StoredDataLocation {
  const folder = folderNamed('tapes');
  return {
    path: folder.path,
    measure: () => measureAll([folder], () => true),
    clear: async () => {
      if (talk.active) {
        return failure('talkGoingOn');
      }
      await tapes.finish();
      return removeAll([folder]);
    },
  };
}

function voicesLocation({ folderNamed, voices, post }: Deps): StoredDataLocation {
  const folder = folderNamed('voices');
  return {
    path: folder.path,
    measure: () => measureAll([folder], ({ name }) => name.endsWith('.wav')),
    clear: async () => {
      const list = await voices.list();
      if (!list.ok) return list;
      for (const { id } of list.value) await voices.remove(id);
      const rest = await removeAll([folder]);
      const left = await voices.list();
      if (left.ok) post('voicesChanged', left.value);
      return rest;
    },
  };
}

const tokenFile = 'tokens.json';

function tokensLocation({ folderNamed, settings, endpoints }: Deps): StoredDataLocation {
  const folder = folderNamed('.');
  const withToken = () => settings.get().endpoints.list.filter(({ hasToken }) => hasToken);
  return {
    path: folderNamed(tokenFile).path,
    measure: async () => {
      const items = await folder.list();
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
}

const done: Outcome<undefined> = { ok: true, value: undefined };
