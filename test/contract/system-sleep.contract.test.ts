import { describe, expect, it, vi } from 'vitest';
import { systemSleep } from '../../electron/hosts/desktop/system-services.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import { powerMonitor } from '../fakes/fake-electron.ts';
import { FakeSystemSleep } from '../fakes/fake-system-sleep.ts';

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
