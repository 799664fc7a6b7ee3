import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  checkConfigFolder,
  disableGraphicsCard,
  graphicsDevices,
  hasGraphicsCard,
  networkFeature,
  runNetworkInProcess,
} from '../../../../../electron/hosts/desktop/begin-start.ts';
import {
  graphicsDevices as devicesOfScripts,
  networkServiceFlags,
  noGraphicsCardOptions,
} from '../../../../../scripts/lib/electron-flags.mjs';
import { app, dialog } from '../../../../fakes/fake-electron.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';
import {
  commandWords,
  readStartArguments,
  restartArguments,
  startRefusal,
} from '../../../../../electron/hosts/desktop/start-arguments.ts';
import { showStartRefusal } from '../../../../../electron/hosts/desktop/system-dialogs.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const { appendSwitch } = app.commandLine;

beforeEach(() => {
  vi.clearAllMocks();
});

describe('the settings folder', () => {
  let config: string;

  beforeEach(() => {
    config = workFolder()('李 "a" config');
    vi.spyOn(app, 'getPath').mockImplementation((name) =>
      name === 'appData' ? config : join(config, 'Parley'),
    );
  });

  /** Calls only the newest listener for the end of the process. */
  const endProcess = (): void => {
    const [last] = process.listeners('exit').slice(-1);
    if (last === undefined) return;
    process.off('exit', last);
    last(1);
  };

  it('is reported and replaced by a temporary one if it cannot be created', () => {
    // A file in its place prevents the folder even for root.
    writeFileSync(config, '');
    expect(checkConfigFolder()).toEqual({ kind: 'config', folder: config });
    const [name, temporary = ''] = app.setPath.mock.lastCall ?? [];
    expect(name).toBe('userData');
    expect(existsSync(temporary)).toBe(true);
    endProcess();
    expect(existsSync(temporary)).toBe(false);
  });
});

describe('a graphics card', () => {
  it.each([
    ['linux', '/dev/dri', true],
    ['linux', '/dev/dxg', true],
    ['linux', '/dev/snd', false],
    ['darwin', '/dev/snd', true],
    ['win32', '/dev/snd', true],
  ] as const)('is detected on %s with %s: %s', (platform, device, isDetected) => {
    expect(hasGraphicsCard(platform, (path) => path === device)).toBe(isDetected);
  });

  it('is disabled after software rendering, because Electron reads both settings at that moment', () => {
    // Electron throws if it is already ready.
    vi.spyOn(app, 'disableHardwareAcceleration').mockImplementationOnce(() => {
      throw new Error('before app is ready');
    });
    disableGraphicsCard();
    expect(appendSwitch).toHaveBeenCalledExactlyOnceWith('disable-software-rasterizer');
    expect(appendSwitch).toHaveBeenCalledBefore(app.disableHardwareAcceleration);
  });

  it.runIf(process.platform === 'linux')(
    'is disabled for GTK until the app is ready, unless the user has set GDK_GL',
    async () => {
      vi.stubEnv('GDK_GL', undefined);
      disableGraphicsCard();
      expect(process.env['GDK_GL']).toBe('disable');
      await app.whenReady();
      expect(process.env['GDK_GL']).toBeUndefined();
      vi.stubEnv('GDK_GL', 'gles');
      disableGraphicsCard();
      await app.whenReady();
      expect(process.env['GDK_GL']).toBe('gles');
    },
  );

  it('is detected and disabled in the same way by npm start', () => {
    expect(devicesOfScripts).toEqual(graphicsDevices);
    const none = { flags: [], env: {} };
    expect(noGraphicsCardOptions('linux', (path) => path === '/dev/dri')).toEqual(none);
    expect(noGraphicsCardOptions('darwin', () => false)).toEqual(none);
    expect(noGraphicsCardOptions('linux', () => false)).toEqual({
      flags: ['--disable-gpu', '--disable-software-rasterizer'],
      env: { GDK_GL: 'disable' },
    });
  });
});

describe('the network service', () => {
  it('runs in the main process on Linux, also with npm start, beside the user’s features', () => {
    vi.spyOn(app.commandLine, 'getSwitchValue').mockReturnValue('UseOzonePlatform');
    runNetworkInProcess('linux');
    const both = `UseOzonePlatform,${networkFeature}`;
    expect(appendSwitch).toHaveBeenCalledWith('enable-features', both);
    expect(networkServiceFlags('linux')).toEqual([`--enable-features=${networkFeature}`]);
  });

  it.each(['darwin', 'win32'] as const)('has its own process on %s', (platform) => {
    runNetworkInProcess(platform);
    expect(appendSwitch).not.toHaveBeenCalled();
    expect(networkServiceFlags(platform)).toEqual([]);
  });
});

describe('the arguments of a start', () => {
  const read = (...given: readonly string[]) => readStartArguments(['parley', ...given]);

  it.each([
    '/home/a/my talk.parleytape',
    'talk.PARLEYTAPE',
    '/tapes/one/tape.ndjson',
    String.raw`C:\tapes\one\tape.ndjson`,
  ])('name the tape %s', (tape) => {
    expect(read('--no-sandbox', tape).tape).toBe(tape);
  });

  it('name a tape that a desktop passes as a URL', () => {
    const link = "file:///home/%E6%9D%8E/my%20%22talk%22%20it's.parleytape";
    expect(read(link).tape).toBe(`/home/李/my "talk" it's.parleytape`);
    expect(read('file://elsewhere/talk.parleytape').tape).toBe('file://elsewhere/talk.parleytape');
  });
});

describe('commandWords', () => {
  it.each([
    [
      'parley --command --ozone-platform=headless -- talk --mode audio',
      ['talk', '--mode', 'audio'],
    ],
    ['parley --ozone-platform=headless --command --', []],
    ['parley --command -- tape check -- --command', ['tape', 'check', '--', '--command']],
  ])('returns the words of the command: %s', (line, words) => {
    expect(commandWords(line.split(' '))).toEqual(words);
  });

  it.each([
    'parley',
    'parley --hidden',
    'parley --command talk',
    'parley -- --command',
    'parley --',
  ])('returns undefined for the start of a window: %s', (line) => {
    expect(commandWords(line.split(' '))).toBeUndefined();
  });
});

const minute = 60_000;
const now = 1_800_000_000_000;

describe('a restart after a fault', () => {
  it('is allowed at most twice in ten minutes', () => {
    const first = restartArguments(['electron', '.'], now, 'opened') ?? [];
    const second = restartArguments(['electron', ...first], now + minute, 'opened') ?? [];
    expect(second).toEqual(['.', `--restarted-at=${now},${now + minute}`]);
    expect(restartArguments(['electron', ...second], now + 2 * minute, 'opened')).toBeUndefined();
    expect(restartArguments(['electron', ...second], now + 12 * minute, 'opened')).toEqual([
      '.',
      `--restarted-at=${now + 12 * minute}`,
    ]);
  });

  it('is a safe start if no window opened, and is not repeated within ten minutes', () => {
    const first = restartArguments(['electron', '.'], now, 'unopened') ?? [];
    expect(first).toEqual(['.', '--safe-start', `--restarted-at=${now}`]);
    const opened = restartArguments(['electron', '.'], now, 'opened') ?? [];
    for (const before of [first, opened])
      expect(restartArguments(['electron', ...before], now + minute, 'unopened')).toBeUndefined();
    const later = restartArguments(['electron', ...first], now + 12 * minute, 'unopened');
    expect(later).toEqual(['.', '--safe-start', `--restarted-at=${now + 12 * minute}`]);
  });
});

describe('a refused start', () => {
  it.each([
    [
      '--unwritable-config=/home/李 a/.config',
      { kind: 'config', folder: '/home/李 a/.config' },
      'cannot write to /home/李 a/.config.',
    ],
    ['--sandbox-not-for-root', { kind: 'sandbox', refused: 'root' }, 'does not open for root'],
    [
      '--sandbox-refused',
      { kind: 'sandbox', refused: 'kernel' },
      'this system does not allow it a sandbox',
    ],
  ] as const)('is read from %s, and shown in a dialog', async (word, refusal, sentence) => {
    expect(startRefusal(['parley', '--no-sandbox', word])).toEqual(refusal);
    expect(startRefusal(['parley', '--command', '--', 'talk', word])).toBeUndefined();
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    expect(await showStartRefusal(refusal)).toBe(1);
    expect(dialog.showMessageBox.mock.lastCall?.[0].message).toContain(sentence);
    expect(written.join('')).toContain(sentence);
  });
});
