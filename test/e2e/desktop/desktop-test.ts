import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { which } from '../../../scripts/lib/run.mjs';
import { Lifetime } from '../../../shared/lifetime.ts';
import type { SettingsPatch } from '../../../shared/settings/settings.ts';
import { test as base } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { settingsAfterFirstRun, stateDirEnvironment } from '../fixtures/running-host.ts';
import { startWindowManager } from '../fixtures/window-manager.ts';
import { type BusClient, type ServedInterface, TestBus } from './test-bus.ts';
import { TrayHost } from './tray-host.ts';

interface StartOptions {
  readonly settings?: SettingsPatch;
  readonly flags?: readonly string[];
  readonly modules?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

interface Started {
  readonly page: Page;
  readonly electron: ElectronApplication;
}

/** A private desktop: a window manager, and a bus with a tray and a notification server. */
export interface Desktop {
  readonly tray: TrayHost;
  readonly notifications: NotificationServer;
  readonly bus: TestBus;
  readonly lifetime: Lifetime;
  readonly start: (options?: StartOptions) => Promise<Started>;
  /** Starts the program again, as a click on its icon or a link does; settles when that process has ended. */
  readonly startAgain: (args: readonly string[]) => Promise<void>;
  readonly home: string;
}

const notificationsName = 'org.freedesktop.Notifications';
const notificationsPath = '/org/freedesktop/Notifications';

const servedNotifications: ServedInterface = {
  name: notificationsName,
  methods: {
    GetCapabilities: ['', 'as'],
    GetServerInformation: ['', 'ssss'],
    Notify: ['susssasa{sv}i', 'u'],
    CloseNotification: ['u', ''],
  },
  signals: { ActionInvoked: ['us'], NotificationClosed: ['uu'] },
};

interface ShownNotification {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

/** A notification server on the test's bus, which can click on notifications. */
class NotificationServer {
  readonly #client: BusClient;
  readonly shown: ShownNotification[] = [];

  constructor(client: BusClient) {
    this.#client = client;
  }

  async start(): Promise<void> {
    const { shown } = this;
    await this.#client.serve(notificationsName, notificationsPath, servedNotifications, {
      GetCapabilities: () => ['actions', 'body'],
      GetServerInformation: () => ['test', 'Parley', '1', '1.2'],
      Notify: (_app: string, _replaces: number, _icon: string, title: string, body: string) => {
        const id = shown.length + 1;
        shown.push({ id, title, body });
        return id;
      },
      CloseNotification: () => undefined,
    });
  }

  titles(): readonly string[] {
    return this.shown.map(({ title }) => title);
  }

  async waitForTitle(title: string): Promise<void> {
    await expect.poll(() => this.titles()).toContain(title);
  }

  async click(title: string): Promise<void> {
    await this.waitForTitle(title);
    const id = this.shown.find((each) => each.title === title)?.id ?? 0;
    this.#client.signal(notificationsPath, notificationsName, 'ActionInvoked', 'us', [
      id,
      'default',
    ]);
    this.#client.signal(notificationsPath, notificationsName, 'NotificationClosed', 'uu', [id, 2]);
  }
}

function findDesktopProblem(): string | undefined {
  if (process.platform !== 'linux') return 'the test desktop needs Linux';
  const missing = ['dbus-daemon', 'openbox', 'xprop'].find((tool) => which(tool) === undefined);
  if (missing !== undefined) return `${missing} is not installed`;
  // Without libnotify Electron shows no notifications.
  const folders = readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`);
  const hasNotify = ['/usr/lib', '/usr/lib64', ...folders].some((folder) =>
    existsSync(`${folder}/libnotify.so.4`),
  );
  return hasNotify ? undefined : 'libnotify is not installed';
}

export const test = base.extend<{ readonly desktop: Desktop }>({
  desktop: async ({ language, home, host }, use) => {
    const missing = findDesktopProblem();
    test.skip(missing !== undefined, missing);
    const lifetime = new Lifetime('a desktop');
    let program: readonly string[] = [];
    let environment: NodeJS.ProcessEnv = {};
    try {
      await startWindowManager(lifetime);
      const bus = await TestBus.start(lifetime);
      const tray = new TrayHost(bus.connect(lifetime));
      const notifications = new NotificationServer(bus.connect(lifetime));
      await notifications.start();
      await use({
        tray,
        notifications,
        bus,
        lifetime,
        home,
        startAgain: async (args) => {
          const [path = '', ...first] = program;
          const again = spawn(path, [...first, ...args], { env: environment, stdio: 'ignore' });
          await once(again, 'exit');
        },
        start: async ({ settings = {}, flags = [], modules = [], environment: more = {} } = {}) => {
          const running = await openDesktop({
            kind: host === 'packaged' ? 'packaged' : 'desktop',
            language,
            flags,
            modules,
            home,
            stored: { ...settingsAfterFirstRun, ...settings },
            environment: {
              DBUS_SESSION_BUS_ADDRESS: bus.address,
              XDG_CURRENT_DESKTOP: 'KDE',
              ...more,
            },
          });
          lifetime.add(() => running.close());
          const { electron } = running;
          if (electron === undefined) throw new Error('The desktop app has no Electron.');
          const path = await electron.evaluate(() => process.execPath);
          const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
          program = [path, ...(host === 'packaged' ? [] : [process.cwd()]), ...root];
          environment = { ...process.env, ...stateDirEnvironment(home), XDG_CONFIG_HOME: home };
          return { page: running.page, electron };
        },
      });
    } finally {
      await lifetime.end();
    }
  },
});

export { expect } from '../fixtures/host-test.ts';
