import { describe, expect, it, vi } from 'vitest';
import {
  commandWords,
  readStartArguments,
  restartArguments,
  startRefusal,
  wasRestarted,
} from '../../../../../electron/hosts/desktop/start-arguments.ts';
import { showStartRefusal } from '../../../../../electron/hosts/desktop/system-dialogs.ts';
import { app, dialog } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

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

  it('choose the mini window', () => {
    expect(read('--mini').mini).toBe(true);
  });

  it.each([
    '.',
    '/work',
    '--load=/x.parleytape',
    'parley://start',
    'tape.ndjson.txt',
    'my-tape.ndjson',
  ])('name no tape: %s', (argument) => {
    expect(read(argument).tape).toBeUndefined();
  });

  it('name the last of several tapes, beside a link', () => {
    expect(read('a.parleytape', 'b.parleytape', 'parley://start')).toEqual({
      hidden: false,
      mini: false,
      link: 'parley://start',
      tape: 'b.parleytape',
    });
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
  it('repeats the arguments and adds its time', () => {
    expect(wasRestarted(['electron', '.', '--hidden'])).toBe(false);
    const again = restartArguments(['electron', '.', '--hidden'], now, 'opened');
    expect(again).toEqual(['.', '--hidden', `--restarted-at=${now}`]);
    expect(wasRestarted(['electron', ...(again ?? [])])).toBe(true);
  });

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
    const first = restartArguments(['electron', '.'], now, 'unopened');
    expect(first).toEqual(['.', '--safe-start', `--restarted-at=${now}`]);
    expect(
      restartArguments(['electron', ...(first ?? [])], now + minute, 'unopened'),
    ).toBeUndefined();
    const afterOpened = restartArguments(['electron', '.'], now, 'opened') ?? [];
    expect(
      restartArguments(['electron', ...afterOpened], now + minute, 'unopened'),
    ).toBeUndefined();
    const later = restartArguments(['electron', ...(first ?? [])], now + 12 * minute, 'unopened');
    expect(later).toEqual(['.', '--safe-start', `--restarted-at=${now + 12 * minute}`]);
  });

  it('ignores a malformed time of an earlier restart', () => {
    expect(restartArguments(['electron', '--restarted-at=x,,NaN'], now, 'opened')).toEqual([
      `--restarted-at=${now}`,
    ]);
  });
});

const captureStderr = (): readonly string[] => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  return written;
};

describe('an unwritable settings folder', () => {
  it.each([
    [
      ['parley', '--unwritable-config=/home/李 a/.config'],
      { kind: 'config', folder: '/home/李 a/.config' },
    ],
    [['parley', '--hidden', 'parley://start'], undefined],
    [['parley', '--command', '--', 'talk', '--unwritable-config=/x'], undefined],
  ])('is read from %s', (argv, refusal) => {
    expect(startRefusal(argv)).toEqual(refusal);
  });

  it.each([
    ['en-GB', 'Parley cannot open, because it cannot write to /a b.'],
    ['zh-CN', 'Parley 无法打开：没有权限写入 /a b。'],
    ['xx-YY', 'Parley cannot open, because it cannot write to /a b.'],
  ])('is shown in a dialog in the language of %s and fails the start', async (locale, sentence) => {
    vi.spyOn(app, 'getLocale').mockReturnValue(locale);
    const written = captureStderr();
    expect(await showStartRefusal({ kind: 'config', folder: '/a b' })).toBe(1);
    expect(dialog.showMessageBox.mock.lastCall?.[0].message).toContain(sentence);
    expect(written.join('')).toContain(sentence);
  });
});

describe('an unavailable sandbox', () => {
  it.each([
    ['--sandbox-not-for-root', 'root', 'does not open for root'],
    ['--sandbox-refused', 'kernel', 'this system does not allow it a sandbox'],
  ] as const)('is read from %s, and shown', async (word, refused, sentence) => {
    expect(startRefusal(['parley', '--no-sandbox', word])).toEqual({ kind: 'sandbox', refused });
    expect(startRefusal(['parley', '--command', '--', 'talk', word])).toBeUndefined();
    const written = captureStderr();
    expect(await showStartRefusal({ kind: 'sandbox', refused })).toBe(1);
    expect(dialog.showMessageBox.mock.lastCall?.[0].message).toContain(sentence);
    expect(written.join('')).toContain(sentence);
  });
});
