import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeDesktopSession } from '../../electron/app/desktop-session.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { TestBus } from '../e2e/desktop/test-bus.ts';
import { TrayHost } from '../e2e/desktop/tray-host.ts';
import { eventually } from '../fakes/eventually.ts';

let lifetime: Lifetime;

beforeEach(() => {
  lifetime = new Lifetime('a session under test');
});

afterEach(() => lifetime.end());

function missing(): string | undefined {
  try {
    execFileSync('dbus-daemon', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'dbus-daemon is not installed';
  }
}

function open(environment: Readonly<Record<string, string>>) {
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
    const reason = missing();
    if (reason !== undefined) context.skip(reason);
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

  it('detects an existing tray', async (context) => {
    const reason = missing();
    if (reason !== undefined) context.skip(reason);
    const bus = await TestBus.start(lifetime);
    await new TrayHost(bus.connect(lifetime)).appear();
    const session = open({ DBUS_SESSION_BUS_ADDRESS: bus.address });
    await session.detected;
    expect(session.hasTray()).toBe(true);
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
