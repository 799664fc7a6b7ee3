import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeDesktopSession } from '../../electron/app/desktop-session.ts';
import { createStreamLog } from '../../electron/app/process-log.ts';
import { systemSleep } from '../../electron/hosts/desktop/load-core.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { XTray } from '../../electron/platform/system/linux-desktop-session.ts';
import { systemClock, timeOfDay } from '../../electron/platform/system/system-clock.ts';
import { which } from '../../scripts/lib/run.mjs';
import { Lifetime } from '../../shared/lifetime.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import { TestBus } from '../e2e/desktop/test-bus.ts';
import { TrayHost } from '../e2e/desktop/tray-host.ts';
import { startWindowManager } from '../e2e/fixtures/window-manager.ts';
import { eventually } from '../fakes/promises.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { powerMonitor } from '../fakes/fake-electron.ts';
import { FakeSystemSleep } from '../fakes/fake-system-sleep.ts';
import { seeded } from '../fakes/seeded.ts';
import { workFolder } from '../fakes/work-folder.ts';

const known = [
  ['', []],
  ['AA==', [0]],
  ['AAE=', [0, 1]],
  ['/+8A', [255, 239, 0]],
  ['TWFuIGlz', [77, 97, 110, 32, 105, 115]],
] as const;

describe('Node’s base64', () => {
  it.each(known)('encodes and decodes %j', (text, bytes) => {
    expect(bufferBase64.encode(Uint8Array.from(bytes))).toBe(text);
    expect(bufferBase64.decode(text)).toEqual(Uint8Array.from(bytes));
  });

  it('round-trips any bytes, even from the middle of a longer array', () => {
    const random = seeded(3);
    const all = Uint8Array.from({ length: 20_000 }, () => random() * 256);
    for (const [start, end] of [
      [0, 20_000],
      [1, 19_999],
      [7, 16],
    ] as const) {
      const bytes = all.subarray(start, end);
      expect(bufferBase64.decode(bufferBase64.encode(bytes))).toEqual(bytes);
    }
  });

  it.each([
    ['too short', 'AAA'],
    ['padding in the middle', 'QQ==QUFB'],
    ['padding before the end', '=QQ='],
    ['too much padding', 'A==='],
    ['four padding characters', '===='],
    ['one padding character', '='],
    ['the minus of base64url', 'ab-c'],
    ['the underscore of base64url', 'ab_c'],
    ['a space', 'QU FB AA'],
    ['a line break', 'QUFB\nQUF'],
    ['blanks at the end', 'QUFB    '],
    ['a character whose low byte is a base64 digit', 'ŁUFB'],
    ['a Chinese character', 'QUF你'],
    ['an accented character', 'QUéB'],
    ['a null', 'QU\0B'],
    ['a data URL', 'data:audio/wav;base64,QUFB'],
  ])('refuses %s', (_name, text) => {
    expect(bufferBase64.decode(text)).toBeUndefined();
  });
});

const fake = new FakeClock();

const clocks: readonly { name: string; clock: Clock; pass: (ms: number) => Promise<void> }[] = [
  {
    name: 'fake clock',
    clock: fake,
    pass: (ms) => {
      fake.advance(ms);
      return Promise.resolve();
    },
  },
  { name: 'system clock', clock: systemClock, pass: (ms) => wait(ms) },
];

describe.each(clocks)('the $name', ({ clock, pass }) => {
  it('advances by the elapsed time', async () => {
    const began = clock.now();
    await pass(30);
    expect(clock.now() - began).toBeGreaterThanOrEqual(29);
  });

  it('runs each due timer once, in order', async () => {
    const ran: string[] = [];
    clock.after(30, () => ran.push('later'));
    clock.after(5, () => ran.push('sooner'));
    await pass(60);
    await pass(60);
    expect(ran).toEqual(['sooner', 'later']);
  });

  it('skips a cancelled timer, and tolerates a second cancel', async () => {
    const ran: string[] = [];
    const cancel = clock.after(5, () => ran.push('cancelled'));
    cancel();
    cancel();
    await pass(30);
    expect(ran).toEqual([]);
  });
});

function streamLog() {
  const stream = new PassThrough();
  const log = createStreamLog(stream);
  return {
    log,
    lines: () =>
      String(stream.read() ?? '')
        .split('\n')
        .filter(Boolean),
  };
}

it('the time of day is written as the page writes it, with the date unless it is today', () => {
  const today = new Date();
  today.setHours(8, 8);
  expect(timeOfDay(today.getTime(), 'en')).toMatch(/^8:08\sAM$/u);
  expect(timeOfDay(today.getTime(), 'zh')).toBe('08:08');
  expect(timeOfDay(new Date(2026, 0, 2, 20, 8).getTime(), 'en')).toMatch(
    /^Jan 2, 2026, 8:08\sPM$/u,
  );
});

it('the stream log writes one line per entry, with its level, in order', () => {
  const { log, lines } = streamLog();
  log.write('info', 'first');
  log.write('error', 'second');
  expect(lines()).toEqual(['parley info: first', 'parley error: second']);
});

it('the stream log of a terminal leaves out informational lines, and clears a line that a command rewrites', () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true });
  const log = createStreamLog(stream);
  log.write('info', 'microphone→wire 33/83 ms');
  log.write('warn', 'slow');
  expect(String(stream.read())).toBe('\r\u001b[Kparley warn: slow\n');
});

it('the stream log removes control characters and limits the length of a line', () => {
  const { log, lines } = streamLog();
  log.write('warn', `\u001b[2J\u202e${'x'.repeat(100_000)}`);
  expect(lines().join('')).toMatch(/^parley warn: \[2Jx{3900,4000}… \(\d+\)$/);
});

vi.mock('electron', () => import('../fakes/fake-electron.ts'));

interface Subject {
  readonly sleep: SystemSleep;
  readonly happens: Readonly<Record<keyof SystemSleep, () => void>>;
  readonly listeners: () => number;
}

const subjects: readonly [string, () => Subject][] = [
  [
    'Electron’s',
    () => ({
      sleep: systemSleep,
      happens: {
        onResume: () => void powerMonitor.emit('resume'),
        onSuspend: () => void powerMonitor.emit('suspend'),
        onLock: () => void powerMonitor.emit('lock-screen'),
      },
      listeners: () =>
        powerMonitor
          .eventNames()
          .reduce((count, name) => count + powerMonitor.listenerCount(name), 0),
    }),
  ],
  [
    'the fake',
    () => {
      const sleep = new FakeSystemSleep();
      const happens = {
        onResume: () => sleep.resume(),
        onSuspend: () => sleep.suspend(),
        onLock: () => sleep.lock(),
      };
      return { sleep, happens, listeners: () => sleep.listeners };
    },
  ],
];

const kinds = ['onResume', 'onSuspend', 'onLock'] as const;

describe.each(subjects)('SystemSleep, %s', (_which, open) => {
  it.each(kinds)('calls only the listeners of %s, until they unsubscribe', (kind) => {
    const { sleep, happens, listeners } = open();
    const called: string[] = [];
    const leave = sleep[kind](() => called.push('one'));
    const leaveToo = sleep[kind](() => called.push('two'));
    for (const other of kinds.filter((each) => each !== kind)) happens[other]();
    expect(called).toEqual([]);
    happens[kind]();
    expect(called).toEqual(['one', 'two']);
    leave();
    leave();
    happens[kind]();
    expect(called).toEqual(['one', 'two', 'two']);
    leaveToo();
    expect(listeners()).toBe(0);
  });
});

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
  // An incomplete authority file, as when another program is writing it.
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
