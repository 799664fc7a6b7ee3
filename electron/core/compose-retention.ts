import { join } from 'node:path';
import type { Lifetime } from '../../shared/lifetime.ts';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import { createStateFile } from '../adapters/files/state-file.ts';
import { systemWallClock } from '../adapters/system/system-clock.ts';
import { Retention } from '../controllers/retention.ts';
import { Trash } from '../controllers/trash.ts';
import type { Log } from '../ports/log.ts';
import { describeAppError } from '../../shared/i18n/en/describe-app-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

/** How long what is stored stays, and where it goes then. */
export interface RetentionServices {
  readonly retention: Retention;
  readonly trashOf: (kind: 'chats' | 'talks' | 'tapes') => Trash;
}

interface Deps extends Pick<SettingsServices, 'settings'> {
  readonly folder: string;
  readonly clock: Clock;
  readonly lifetime: Lifetime;
  readonly log: Log;
  readonly post: PostNotice;
}

export function composeRetention({
  folder,
  clock,
  settings,
  lifetime,
  log,
  post,
}: Deps): RetentionServices {
  const retention = new Retention({
    file: createStateFile(folder, 'retention'),
    clock,
    wallNow: systemWallClock,
    privacy: () => settings.get().privacy,
    tell: (error) => {
      log.write('warn', describeAppError(error));
      post('chatProblem', error);
    },
  });
  lifetime.add(() => retention.end());
  return {
    retention,
    trashOf: (kind) =>
      new Trash({
        folder: createDataFolder(join(folder, 'trash', kind)),
        days: () => retention.days,
      }),
  };
}
