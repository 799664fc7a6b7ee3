import type { ElectronApplication, Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir } from 'node:fs/promises';
import { Lifetime } from '../../../shared/lifetime.ts';
import type { SettingsPatch } from '../../../shared/settings/settings.ts';
import { test as base } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { settingsAfterFirstRun, stateDirEnvironment } from '../fixtures/running-host.ts';
import { startWindowManager } from '../fixtures/window-manager.ts';
import { NotificationServer } from './notification-server.ts';
import { TestBus } from './test-bus.ts';
import { TrayHost } from './tray-host.ts';

interface StartOptions {
  readonly settings?: SettingsPatch;
  readonly flags?: readonly string[];
  readonly modules?: readonly string[];
  /** False to return before the desktop's page is painted. */
  readonly painted?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Started {
  readonly page: Page;
  readonly electron: ElectronApplication;
}

/** A private desktop: a window manager, and a bus with a tray and a notification server. */
interface Desktop {
  readonly tray: TrayHost;
  readonly notifications: NotificationServer;
  readonly bus: TestBus;
  readonly lifetime: Lifetime;
  readonly start: (options?: StartOptions) => Promise<Started>;
  /** Starts the program again, as a click on its icon or a link does; settles when that process has ended. */
  readonly startAgain: (args: readonly string[]) => Promise<void>;
  readonly home: string;
}

const isInstalled = async (program: string): Promise<boolean> => {
  const folders = (process.env['PATH'] ?? '').split(':');
  const tries = await Promise.allSettled(folders.map((folder) => access(`${folder}/${program}`)));
  return tries.some(({ status }) => status === 'fulfilled');
};

async function findDesktopProblem(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'the test desktop needs Linux';
  for (const program of ['dbus-daemon', 'openbox', 'xprop']) {
    if (!(await isInstalled(program))) return `${program} is not installed`;
  }
  // Without libnotify Electron shows no notifications.
  const folders = (await readdir('/usr/lib')).map((name) => `/usr/lib/${name}`);
  const tries = ['/usr/lib', '/usr/lib64', ...folders].map((folder) =>
    access(`${folder}/libnotify.so.4`),
  );
  const found = await Promise.allSettled(tries);
  if (found.every(({ status }) => status === 'rejected')) return 'libnotify is not installed';
  return undefined;
}

export const test = base.extend<{ readonly desktop: Desktop }>({
  desktop: async ({ language, home, host }, use) => {
    const missing = await findDesktopProblem();
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
        start: async ({
          settings = {},
          flags = [],
          modules = [],
          painted = true,
          environment: more = {},
        } = {}) => {
          const running = await openDesktop({
            kind: host === 'packaged' ? 'packaged' : 'desktop',
            language,
            flags,
            modules,
            painted,
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
