import { describe, expect, it, vi } from 'vitest';
import { endInTime } from '../../../../electron/hosts/process-shutdown.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { FaultPolicy, printToStderr } from '../../../../electron/hosts/guard-process.ts';
import { processTerminal } from '../../../../electron/hosts/terminal/run-terminal.ts';
import { childEnvironment } from '../../../../electron/hosts/fork-child.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';

const never = (): Promise<void> => new Promise(() => undefined);

describe('endInTime', () => {
  it('abandons and logs a close that hangs, and still closes what was opened earlier', async () => {
    const log = new FakeLog();
    const lifetime = new Lifetime('test');
    const closeSettings = vi.fn<() => void>();
    lifetime.add(closeSettings, 'the settings');
    lifetime.add(never, 'the device');
    await endInTime(lifetime, log, { eachMs: 20, allMs: 10_000 });
    expect(closeSettings).toHaveBeenCalledOnce();
    expect(log.lines).toEqual([
      'parley error: shutdown: abandoned, because it did not close in time: the device',
    ]);
  });

  it('returns at the total limit, while the lifetime continues to end', async () => {
    const log = new FakeLog();
    const lifetime = new Lifetime('test');
    for (let each = 0; each < 4; each += 1) lifetime.add(never, `device ${each}`);
    await endInTime(lifetime, log, { eachMs: 30, allMs: 50 });
    expect(log.lines.at(-1)).toBe('parley error: shutdown timed out; exiting');
    // The lifetime continues until it has abandoned every device.
    await lifetime.end();
    expect(log.lines.filter((line) => line.includes('abandoned'))).toHaveLength(4);
  });
});

describe('an uncaught fault', () => {
  function policy() {
    let time = 0;
    return { faults: new FaultPolicy(() => time), pass: (ms: number) => (time += ms) };
  }

  it('is survived while something is open, and fatal otherwise', () => {
    const { faults } = policy();
    expect(faults.judge('a', false)).toBe('end');
    expect(faults.judge('a', true)).toBe('goOn');
  });

  it('is survived any number of times at seven-second intervals', () => {
    const { faults, pass } = policy();
    for (let time = 0; time < 100; time += 1) {
      expect(faults.judge('a', true)).toBe('goOn');
      pass(7000);
    }
  });

  it('is fatal as the thirty-first of different faults within a minute', () => {
    const { faults } = policy();
    const verdicts = Array.from({ length: 31 }, (_, index) => faults.judge(`fault ${index}`, true));
    expect(verdicts.indexOf('end')).toBe(30);
  });
});

it.each([
  ['a command', (text: string) => processTerminal().err(text)],
  ['a host', printToStderr],
] as const)('%s writes no control sequences to stderr', (_who, print) => {
  const written: unknown[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(text);
    return true;
  });
  print('no tape \u001b]0;title\u0007\u009b2J\u202egpj.exe\n');
  expect(written.join('').trimEnd()).toBe('no tape ]0;title2Jgpj.exe');
});

it('a child process gets the environment without variables that may hold a secret', () => {
  const needed = {
    HOME: '/home/a',
    DISPLAY: ':0',
    XAUTHORITY: '/home/a/.Xauthority',
    PULSE_SERVER: 'unix:/run/pulse',
    PULSE_COOKIE: '/home/a/.config/pulse/cookie',
    PARLEY_STATE_DIR: '/state',
  };
  const secret = {
    PARLEY_TOKEN: '1',
    PARLEY_UPDATE_SIGNING_KEY: '2',
    AWS_SECRET_ACCESS_KEY: '3',
    github_token: '4',
    PGPASSWORD: '5',
    DB_PASSWD: '6',
    GOOGLE_APPLICATION_CREDENTIALS: '7',
    CLIENT_SECRET: '8',
  };
  expect(childEnvironment({ ...needed, ...secret, GONE: undefined })).toEqual(needed);
});
