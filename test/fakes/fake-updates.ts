import { failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { UpdatePlace } from '../../electron/platform/updates/installation.ts';
import type { UpdateSource } from '../../electron/platform/updates/update-source.ts';
import { UpdateController } from '../../electron/app/updates/update-controller.ts';
import type { UpdateMethod } from '../../electron/app/updates/find-updates.ts';
import type { UpdateView } from '../../shared/app/program.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeLog } from './fake-log.ts';
import { FakeStateFile } from './fake-state-file.ts';
import { flushPromises } from './promises.ts';

type Stage = 'describe' | 'fetch';

/** An update server and an installed AppImage, in memory. A stage ends at once, or waits until it is aborted if `held` has it. */
export class FakeUpdates {
  feed = sampleFeed();
  readonly failures: Partial<Record<Stage | 'replace', Failure>> = {};
  readonly held = new Set<Stage>();
  readonly calls: string[] = [];
  previous: string | undefined;

  readonly source: UpdateSource = {
    host: 'updates.example',
    addressOf: ({ file }) => `https://updates.example/${file.name}`,
    describe: (stop) => this.#step('describe', stop, () => this.feed),
    fetch: (offer, part, stop) =>
      this.#step('fetch', stop, () => {
        part(0.5);
        return `/fetched/${offer.file.name}`;
      }),
    clear: () => {
      this.calls.push('clear');
      return Promise.resolve();
    },
  };

  readonly place: UpdatePlace = {
    previous: () => Promise.resolve(this.previous),
    install: (file) => {
      this.calls.push(`replace ${file}`);
      return Promise.resolve(this.failures.replace ?? { ok: true, value: undefined });
    },
    rollBack: (version) => {
      this.calls.push(`put back ${version}`);
      return Promise.resolve({ ok: true, value: undefined });
    },
  };

  #step<Value>(stage: Stage, stop: AbortSignal, make: () => Value): Promise<Outcome<Value>> {
    this.calls.push(stage);
    if (!this.held.has(stage))
      return Promise.resolve(this.failures[stage] ?? { ok: true, value: make() });
    return new Promise((resolve) => {
      stop.addEventListener('abort', () => {
        this.calls.push(`${stage} stopped`);
        resolve(failure('updateCutShort', { version: '' }));
      });
    });
  }
}

/** For requests whose page does not matter. */
export const anyPage = { whenGone: () => () => undefined, hasRecentInput: () => false };

interface UpdateTestOptions {
  readonly setting?: 'auto' | 'tell' | 'off';
  readonly kind?: 'installs' | 'announces' | 'none';
  readonly disk?: Map<string, string>;
  readonly updates?: FakeUpdates;
  readonly runningVersion?: string;
}

/** An update controller over fake updates, with a clock, settings and a talk that the test controls. */
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

export function sampleFeed(fields: object = {}): string {
  return JSON.stringify({
    version: '0.2.0',
    releaseDate: '2026-01-01T00:00:00.000Z',
    validUntil: '2026-07-01T00:00:00.000Z',
    stagingPercentage: 100,
    releaseNotes: { en: 'New things.', zh: '新内容。' },
    files: [
      { url: 'Parley-0.2.0-linux-x64.tar.gz', sha512: `${'A'.repeat(86)}==`, size: 1000 },
      { url: 'Parley-0.2.0-linux-x86_64.AppImage', sha512: `${'B'.repeat(86)}==`, size: 2000 },
    ],
    ...fields,
  });
}
