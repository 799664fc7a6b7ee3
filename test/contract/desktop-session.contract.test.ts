import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeDesktopSession } from '../../electron/app/desktop-session.ts';
import { XTray } from '../../electron/platform/system/linux-desktop-session.ts';
import { which } from '../../scripts/lib/run.mjs';
import { Lifetime } from '../../shared/lifetime.ts';
import { TestBus } from '../e2e/desktop/test-bus.ts';
import { TrayHost } from '../e2e/desktop/tray-host.ts';
import { startWindowManager } from '../e2e/fixtures/window-manager.ts';
import { eventually } from '../fakes/eventually.ts';
import { workFolder } from '../fakes/work-folder.ts';

let lifetime: Lifetime;

beforeEach(() => {
  lifetime = new Lifetime('a session under test');
});

afterEach(() => lifetime.end());

function open(environment: Parameters<typeof composeDesktopSession>[1]) {
  const session = composeDesktopSession('linux', environment);
  lifetime.add(session.end);
  return session;
}

describe('a Linux desktop', () => {
  it('has no tray and no notifications without a bus, and reports no error', async () => {
    const session = open({});
    expect(await session.detected).toBeUndefined();
    expect([session.hasTray(), session.canNotify()]).toEqual([false, false]);
  });

  it('reports a bus that cannot be reached', async () => {
    const session = open({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/at/all' });
    expect(await session.detected).toContain('/nowhere/at/all');
    expect([session.hasTray(), session.canNotify()]).toEqual([false, false]);
  });

  it('reports its tray as it appears and disappears, and each lock', async (context) => {
    if (which('dbus-daemon') === undefined) context.skip('dbus-daemon is not installed');
    const bus = await TestBus.start(lifetime);
    const tray = new TrayHost(bus.connect(lifetime));
    const session = open({ DBUS_SESSION_BUS_ADDRESS: bus.address });
    expect(await session.detected).toBeUndefined();
    expect([session.hasTray(), session.canNotify()]).toEqual([false, true]);
    const events: unknown[] = [];
    session.onTrayChange((shown) => events.push(shown));
    const leave = session.onLock(() => events.push('locked'));
    await tray.appear();
    await eventually(() => {
      expect(events).toEqual([true]);
    });
    const saver = bus.connect(lifetime);
    const active = (now: boolean): void => {
      saver.signal('/', 'org.gnome.ScreenSaver', 'ActiveChanged', 'b', [now]);
    };
    active(true);
    active(false);
    active(true);
    await eventually(() => {
      expect(events).toEqual([true, 'locked', 'locked']);
    });
    leave();
    active(true);
    await tray.disappear();
    await eventually(() => {
      expect(events).toEqual([true, 'locked', 'locked', false]);
    });
    expect(session.hasTray()).toBe(false);
  });
});

it('other systems always have a tray and notifications', async () => {
  for (const platform of ['darwin', 'win32'] as const) {
    const session = composeDesktopSession(platform, {});
    expect(await session.detected).toBeUndefined();
    expect([session.hasTray(), session.canNotify()]).toEqual([true, true]);
    await session.end();
  }
});

function start(program: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(program, args, {
    env: environment,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  };
  lifetime.add(end);
  return { output: child.stdio[3] as Readable, end };
}

/** Starts an X server with two screens, which only clients with its cookie may use. */
async function startServer(file: (name: string) => string) {
  const authority = file('authority');
  const field = (value: Buffer): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(value.length);
    return Buffer.concat([length, value]);
  };
  const entry = (cookie: string): Buffer => {
    const name = Buffer.from('MIT-MAGIC-COOKIE-1');
    const fields = [Buffer.alloc(0), Buffer.alloc(0), name, Buffer.from(cookie, 'hex')].map(field);
    return Buffer.concat([Buffer.from([0xff, 0xff]), ...fields]);
  };
  await writeFile(authority, entry('0123456789abcdef0123456789abcdef'));
  // An incomplete authority file, as while another program writes it.
  await writeFile(file('cut'), entry('00'.repeat(16)).subarray(0, 20));
  const screens = ['-screen', '0', '640x480x24', '-screen', '1', '640x480x24'];
  const server = start(
    'Xvfb',
    ['-displayfd', '3', '-auth', authority, '-noreset', '-nolisten', 'tcp', ...screens],
    process.env,
  );
  const [number] = (await once(createInterface(server.output), 'line')) as [string];
  return {
    end: server.end,
    on: (screen: number, authorityFile = authority) => ({
      PATH: process.env['PATH'],
      // The panel needs a home folder.
      HOME: file('.'),
      DISPLAY: `:${number}.${screen}`,
      XAUTHORITY: authorityFile,
    }),
  };
}

describe('the tray of an X display', () => {
  beforeEach(({ skip }) => {
    const programs = ['Xvfb', 'tint2', 'openbox', 'xprop'];
    const missing = programs.find((program) => which(program) === undefined);
    if (missing !== undefined) skip(`${missing} is not installed`);
  });

  it('is detected when it appears and disappears, on its own screen only', async () => {
    const file = workFolder();
    const server = await startServer(file);
    const trays = [0, 1].map(() => new XTray());
    const events: string[] = [];
    for (const [screen, tray] of trays.entries()) {
      lifetime.add(() => {
        tray.end();
      });
      tray.onShown((shown) => events.push(`${screen} ${shown}`));
      await tray.connect(server.on(screen));
    }
    expect(trays.map((tray) => tray.isShown())).toEqual([false, false]);
    await writeFile(file('tint2rc'), 'panel_items = S\npanel_size = 200 40\n');
    // The panel takes the tray only under a window manager.
    await startWindowManager(lifetime, server.on(1));
    const panel = start('tint2', ['-c', file('tint2rc')], server.on(1));
    await eventually(() => {
      expect(events).toEqual(['1 true']);
    });
    const late = new XTray();
    await late.connect(server.on(1));
    expect(late.isShown()).toBe(true);
    late.end();
    await panel.end();
    await eventually(() => {
      expect(events).toEqual(['1 true', '1 false']);
    });
  });

  it('disappears with its X server', async () => {
    const file = workFolder();
    const server = await startServer(file);
    await writeFile(file('tint2rc'), 'panel_items = S\npanel_size = 200 40\n');
    await startWindowManager(lifetime, server.on(0));
    start('tint2', ['-c', file('tint2rc')], server.on(0));
    const session = open(server.on(0));
    expect(await session.detected).toBeUndefined();
    await eventually(() => {
      expect(session.hasTray()).toBe(true);
    });
    await server.end();
    await eventually(() => {
      expect(session.hasTray()).toBe(false);
    });
  });

  it('is missing with a reason if the cookie, the screen or the server is missing', async () => {
    const file = workFolder();
    const server = await startServer(file);
    for (const environment of [
      server.on(0, file('none')),
      server.on(0, file('cut')),
      server.on(7),
      { DISPLAY: ':64999' },
    ]) {
      const session = open(environment);
      expect(await session.detected).toMatch(/^the X server/);
      expect(session.hasTray()).toBe(false);
    }
  });

  it.each([{}, { DISPLAY: 'far.away:0' }, { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' }])(
    'is not searched for with %j',
    async (environment) => {
      const session = open(environment);
      expect(await session.detected).toBeUndefined();
      expect(session.hasTray()).toBe(false);
    },
  );
});
