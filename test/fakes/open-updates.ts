import { UpdateController } from '../../electron/app/updates/update-controller.ts';
import type { UpdateMethod } from '../../electron/app/updates/find-updates.ts';
import type { UpdateView } from '../../shared/updates/update-view.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeLog } from './fake-log.ts';
import { FakeStateFile } from './fake-state-file.ts';
import { FakeUpdates } from './fake-updates.ts';
import { flushPromises } from './flush-promises.ts';

/** For requests whose page does not matter. */
export const anyPage = { whenGone: () => () => undefined, hasRecentInput: () => false };

interface UpdateTestOptions {
  readonly setting?: 'auto' | 'tell' | 'off';
  readonly kind?: 'installs' | 'announces' | 'none';
  readonly disk?: Map<string, string>;
  readonly updates?: FakeUpdates;
  readonly runningVersion?: string;
}

export async function openUpdates(options: UpdateTestOptions = {}) {
  const {
    kind = 'installs',
    disk = new Map<string, string>(),
    updates = new FakeUpdates(),
  } = options;
  const clock = new FakeClock();
  const world = { talking: false, setting: options.setting ?? ('auto' as const), restarts: 0 };
  const views: UpdateView[] = [];
  const packageSuffix = '-linux-x86_64.AppImage';
  const { source, place } = updates;
  const methods: Readonly<Record<typeof kind, UpdateMethod>> = {
    installs: { kind: 'installs', packageSuffix, source, place },
    announces: { kind: 'announces', packageSuffix, source },
    none: { kind: 'none' },
  };
  const controller = new UpdateController({
    runningVersion: options.runningVersion ?? '0.1.0',
    method: methods[kind],
    file: new FakeStateFile(disk, 'updates'),
    setting: () => world.setting,
    isTalking: () => world.talking,
    clock,
    wallClock: () => clock.now() + Date.parse('2026-02-01T00:00:00.000Z'),
    random: () => 0.5,
    log: new FakeLog(),
    post: (_name, payload) => {
      views.push(payload as UpdateView);
    },
    restart: () => {
      world.restarts += 1;
    },
  });
  await controller.begin();
  const view = (): UpdateView => controller.handlers.updates(undefined, anyPage) as UpdateView;
  return {
    controller,
    updates,
    clock,
    world,
    disk,
    views,
    view,
    check: async () => {
      await controller.handlers.checkForUpdates(undefined, anyPage);
      await flushPromises();
    },
    talk: async (talking: boolean) => {
      world.talking = talking;
      controller.talkChanged();
      await flushPromises();
    },
    set: async (setting: 'auto' | 'tell' | 'off') => {
      world.setting = setting;
      controller.settingChanged();
      await flushPromises();
    },
    pass: async (milliseconds: number) => {
      clock.advance(milliseconds);
      await flushPromises();
    },
  };
}
