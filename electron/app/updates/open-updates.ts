import type { RunningPackage } from '../../../shared/updates/update-feed.ts';
import type { Machine } from '../machine.ts';
import type { Servers } from '../servers.ts';
import { findUpdates } from './find-updates.ts';
import { UpdateController } from './update-controller.ts';

interface Parts {
  readonly machine: Machine;
  readonly servers: Pick<Servers, 'settings' | 'proxy'>;
  readonly version: string;
  readonly runningPackage: RunningPackage | undefined;
  readonly isTalking: () => boolean;
}

export function openUpdates({
  machine,
  servers: { settings, proxy },
  version,
  runningPackage,
  isTalking,
}: Parts): UpdateController {
  const { folder, clock, wallClock, random, log, notices, stateFile } = machine;
  return new UpdateController({
    runningVersion: version,
    method: findUpdates(runningPackage, { folder, log, proxies: proxy.proxies() }),
    restart: () => runningPackage?.restart(),
    file: stateFile('updates'),
    setting: () => settings.get().desktop.updates,
    isTalking,
    clock,
    wallClock,
    random,
    log,
    post: notices.post,
  });
}

/** Checks for updates from now on, and never during a talk. */
export function beginUpdates(
  updates: UpdateController,
  { lifetime, notices }: Pick<Machine, 'lifetime' | 'notices'>,
  settings: Servers['settings'],
): void {
  void updates.begin();
  lifetime.add(
    notices.listen(({ name }) => {
      if (name === 'talkBegan' || name === 'talkState') updates.talkChanged();
    }),
  );
  lifetime.add(
    settings.listen((event) => {
      if (event.kind !== 'changed') return;
      if (event.settings.desktop.updates !== event.before.desktop.updates) updates.settingChanged();
    }),
  );
  lifetime.add(() => updates.end(), 'updates');
}
