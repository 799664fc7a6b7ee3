import { join } from 'node:path';
import { createStateFile } from '../adapters/files/state-file.ts';
import { systemWallClock } from '../adapters/system/system-clock.ts';
import { findUpdateGround, updateFeedName } from '../adapters/updates/update-ground.ts';
import { readUpdateSettings } from '../adapters/updates/update-settings.ts';
import { createUpdateSource } from '../adapters/updates/update-source.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { noUpdates } from '../../shared/updates/update-view.ts';
import { UpdateController } from '../controllers/update-controller.ts';
import type { NoticeBoard } from '../ipc/notice-board.ts';
import { RequestRefusedError } from '../ipc/request-refused-error.ts';
import type { Proxies } from '../ports/proxies.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { InstalledPackage } from '../ports/updates.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { UpdateHandlers } from '../controllers/controller-handlers.ts';

/** The package that runs, where there is one, and its window. */
export interface RunningPackage extends InstalledPackage {
  /** Quits, and starts what then stands there. */
  readonly restart: () => void;
}

export interface UpdateServices {
  readonly handlers: UpdateHandlers;
  readonly begin: () => void;
  /** Puts another version in this one's place, once nothing of this one is used any more. */
  readonly leave: () => Promise<void>;
}

interface Deps {
  readonly package: RunningPackage | undefined;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly lifetime: Lifetime;
  readonly notices: NoticeBoard;
  readonly settings: Pick<SettingsStore, 'get' | 'listen'>;
  readonly proxy: { readonly proxies: () => Proxies };
  readonly talking: () => boolean;
}

/** New versions: nothing without a package that was given a feed, and nothing where the system brings them. */
export function composeUpdates(deps: Deps): UpdateServices {
  const { package: own, folder, log, lifetime, notices, settings } = deps;
  if (own === undefined) return withoutUpdates('none');
  const { version, file, resources, restart } = own;
  const ground = findUpdateGround({ resources, file, running: version });
  if (ground.way === 'system') return withoutUpdates('system');
  const feed = readUpdateSettings(resources, (why) => {
    log.write('warn', why);
  });
  if (feed === undefined) return withoutUpdates('none');
  const controller = new UpdateController({
    ...deps,
    running: version,
    ground,
    restart,
    source: createUpdateSource(feed, {
      folder: join(folder, 'updates'),
      feedName: updateFeedName(),
      proxies: deps.proxy.proxies(),
    }),
    file: createStateFile(folder, 'updates'),
    setting: () => settings.get().desktop.updates,
    wallClock: systemWallClock,
    date: () => new Date().toISOString(),
    post: (name, payload) => {
      notices.post(name, payload);
    },
  });
  const begin = (): void => {
    void controller.begin();
    lifetime.add(
      notices.listen(({ name }) => {
        if (name === 'talkBegan' || name === 'talkState') controller.talkChanged();
      }),
    );
    lifetime.add(
      settings.listen((event) => {
        if (event.kind !== 'changed') return;
        if (event.settings.desktop.updates !== event.before.desktop.updates)
          controller.settingChanged();
      }),
    );
    lifetime.add(() => {
      controller.end();
    }, 'the updates');
  };
  return { handlers: controller.handlers, begin, leave: () => controller.leave() };
}

/** Who looks for no updates has none to tell of. */
function withoutUpdates(way: 'none' | 'system'): UpdateServices {
  return {
    handlers: {
      updates: () => ({ ...noUpdates, way }),
      checkForUpdates: refuse,
      fetchUpdate: refuse,
      switchVersion: refuse,
      updateSeen: refuse,
    },
    begin: () => undefined,
    leave: () => Promise.resolve(),
  };
}

function refuse(): never {
  throw new RequestRefusedError(appError('updatePreviousGone'));
}
