import { describe, expect, it, vi } from 'vitest';
import { systemSleep } from '../../electron/hosts/desktop/power-monitor.ts';
import type { SystemSleep } from '../../electron/ports/system-sleep.ts';
import { powerMonitor } from '../fakes/fake-electron.ts';
import { FakeSystemSleep } from '../fakes/fake-system-sleep.ts';

vi.mock('electron', () => import('../fakes/fake-electron.ts'));

interface Subject {
  readonly sleep: SystemSleep;
  readonly resume: () => void;
  readonly listeners: () => number;
}

const subjects: readonly [string, () => Subject][] = [
  [
    'Electron’s',
    () => ({
      sleep: systemSleep,
      resume: () => void powerMonitor.emit('resume'),
      listeners: () => powerMonitor.listenerCount('resume'),
    }),
  ],
  [
    'the fake',
    () => {
      const sleep = new FakeSystemSleep();
      return {
        sleep,
        resume: () => {
          sleep.resume();
        },
        listeners: () => sleep.listeners,
      };
    },
  ],
];

describe.each(subjects)('the system’s sleep, %s', (_which, open) => {
  it('calls everybody each time that the machine is awake again, until they leave', () => {
    const { sleep, resume, listeners } = open();
    const called: string[] = [];
    const leave = sleep.onResume(() => called.push('one'));
    const leaveToo = sleep.onResume(() => called.push('two'));
    expect(called).toEqual([]);
    resume();
    expect(called).toEqual(['one', 'two']);
    leave();
    leave();
    resume();
    expect(called).toEqual(['one', 'two', 'two']);
    leaveToo();
    expect(listeners()).toBe(0);
  });
});
