import { join } from 'node:path';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import type { PrivacyHandlers } from '../controllers/controller-handlers.ts';
import { createPrivacyHandlers } from '../controllers/privacy-handlers.ts';
import { storedDataLocations } from '../controllers/stored-data-locations.ts';
import type { ChatServices } from './compose-chat.ts';
import type { HistoryServices } from './compose-history.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { ComposedTalk } from './compose-talk.ts';
import type { VoiceServices } from './compose-voices.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

interface Deps
  extends
    Pick<ChatServices, 'chats'>,
    Pick<SettingsServices, 'endpoints'>,
    Pick<ComposedTalk, 'talk' | 'tapes' | 'recent'>,
    Pick<HistoryServices, 'keeper' | 'historySync'>,
    Pick<VoiceServices, 'voices'> {
  readonly folder: string;
  readonly post: PostNotice;
}

/** What is stored about the person, listed and deleted on request. */
export function composePrivacy(deps: Deps): PrivacyHandlers {
  const folderNamed = (name: string) => createDataFolder(join(deps.folder, name));
  return createPrivacyHandlers(storedDataLocations({ ...deps, folderNamed }));
}
