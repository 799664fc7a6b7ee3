import { join } from 'node:path';
import { type AppError, failure } from '../../../shared/errors/app-error.ts';
import type { UpdateHandlers } from '../../../shared/ipc/app-ipc.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import type { Clock, Random } from '../../../shared/ports/clock.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { InstalledPackage, UpdateGround } from '../../../shared/updates/update-feed.ts';
import { noUpdates, type UpdateWay } from '../../../shared/updates/update-view.ts';
import { createStateFile } from '../../platform/files/state-file.ts';
import { stateFolder } from '../../platform/files/state-folder.ts';
import { cryptoRandom, systemWallClock } from '../../platform/system/system-clock.ts';
import { findUpdateGround, updateFeedName } from '../../platform/updates/update-ground.ts';
import { createUpdateSource, readUpdateSettings } from '../../platform/updates/update-source.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import { composeRemoteChannel } from '../ipc/remote-actions.ts';
import type { NoticeBoard } from '../ipc/request-dispatcher.ts';
import { UpdateController } from './update-controller.ts';
import { goBack, UpdateMemoryStore } from './update-memory.ts';

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

const refuse = () => failure('updatePreviousGone');

interface WayBackDeps {
  readonly running: string;
  readonly ground: UpdateGround;
  readonly file: StateFile;
  readonly dice: number;
  /** Whether a Parley runs, which would be replaced under its feet. */
  readonly isOpen: () => Promise<boolean>;
}

/** What became of going back, or why it did not. */
export type WentBack =
  | { readonly kind: 'back'; readonly to: string; readonly from: string }
  | { readonly kind: 'none' | 'open' | Exclude<UpdateWay, 'replaces' | 'none'> }
  | { readonly kind: 'failed'; readonly error: AppError };

/** The way back to the version before, for who has no window to say so in. */
class WayBack {
  readonly #deps: WayBackDeps;

  constructor(deps: WayBackDeps) {
    this.#deps = deps;
  }

  readonly previous = async (): Promise<string | undefined> => {
    const { ground } = this.#deps;
    return ground.way === 'replaces' ? (await ground.place.find()).previous : undefined;
  };

  readonly go = async (): Promise<WentBack> => {
    const { ground, running, file, dice, isOpen } = this.#deps;
    if (ground.way !== 'replaces') return { kind: ground.way };
    const to = await this.previous();
    if (to === undefined) return { kind: 'none' };
    if (await isOpen()) return { kind: 'open' };
    const memory = new UpdateMemoryStore(file, dice);
    const back = await goBack(ground.place, memory, running);
    if (!back.ok) return { kind: 'failed', error: back.error };
    await memory.settled();
    return { kind: 'back', to, from: running };
  };
}

/** The way back of a package, for a command: without a core, which takes time to load. */
export function composeWayBack({ version, file, resources }: InstalledPackage): WayBack {
  return new WayBack({
    running: version,
    ground: findUpdateGround({ resources, file, running: version }),
    file: createStateFile(stateFolder(), 'updates'),
    dice: cryptoRandom(),
    // Any word is an answer; this one changes nothing.
    isOpen: async () => (await composeRemoteChannel().ask('links status')).kind !== 'nobody',
  });
}
