import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createStreamLog } from '../../electron/app/process-log.ts';
import { systemSleep } from '../../electron/hosts/desktop/load-core.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { powerMonitor } from '../fakes/fake-electron.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { FakeSystemSleep } from '../fakes/fake-system-sleep.ts';
import { plainBase64 } from '../fakes/plain-codec.ts';
import { seeded } from '../fakes/seeded.ts';

const both = [
  { name: 'fake base64', base64: plainBase64 },
  { name: "Node's base64", base64: bufferBase64 },
];

const known = [
  ['', []],
  ['AA==', [0]],
  ['AAE=', [0, 1]],
  ['/+8A', [255, 239, 0]],
  ['TWFuIGlz', [77, 97, 110, 32, 105, 115]],
] as const;

describe.each(both)('the $name', ({ base64 }) => {
  it.each(known)('encodes and decodes %j', (text, bytes) => {
    expect(base64.encode(Uint8Array.from(bytes))).toBe(text);
    expect(base64.decode(text)).toEqual(Uint8Array.from(bytes));
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
      expect(base64.decode(base64.encode(bytes))).toEqual(bytes);
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
    expect(base64.decode(text)).toBeUndefined();
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

  it('runs due timers once, in order', async () => {
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

function fakeLog() {
  const log = new FakeLog();
  return { log, lines: () => log.lines };
}

describe.each([
  { name: 'stream log', create: streamLog },
  { name: 'fake log', create: fakeLog },
])('the $name', ({ create }) => {
  it('writes one line per entry, with its level, in order', () => {
    const { log, lines } = create();
    log.write('info', 'first');
    log.write('error', 'second');
    expect(lines()).toEqual(['parley info: first', 'parley error: second']);
  });
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
      return {
        sleep,
        happens: {
          onResume: () => {
            sleep.resume();
          },
          onSuspend: () => {
            sleep.suspend();
          },
          onLock: () => {
            sleep.lock();
          },
        },
        listeners: () => sleep.listeners,
      };
    },
  ],
];

const kinds = ['onResume', 'onSuspend', 'onLock'] as const;

describe.each(subjects)('SystemSleep, %s', (_which, open) => {
  it.each(kinds)('calls the listeners of %s only, until they unsubscribe', (kind) => {
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
