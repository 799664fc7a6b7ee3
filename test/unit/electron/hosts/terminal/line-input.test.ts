import { PassThrough, Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type InputLine,
  PipedLines,
  TypedLines,
} from '../../../../../electron/hosts/terminal/line-input.ts';

let opened: TypedLines | undefined;

afterEach(() => {
  opened?.close();
  opened = undefined;
});

/** A prompt on a terminal whose keys the test presses and reads the screen. */
function prompt() {
  const keys = new PassThrough();
  const shown: string[] = [];
  let interrupts = 0;
  const screen = {
    write: (text: string) => void shown.push(text),
    columns: () => 80,
    onResize: () => undefined,
  };
  const lines = new TypedLines(keys, screen, () => {
    interrupts += 1;
  });
  opened = lines;
  return {
    lines,
    press: (text: string) => keys.write(text),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
    screen: () => shown.join(''),
    clearScreen: () => void shown.splice(0),
    interrupts: () => interrupts,
  };
}

const line = (text: string, continues = false) => ({ kind: 'line', text, continues }) as const;
const ended = { kind: 'ended' } as const;

describe('lines typed at a prompt', () => {
  it('are shown and delivered at Enter', async () => {
    const { lines, press, screen } = prompt();
    const first = lines.next('> ');
    press('Hello\r');
    expect(await first).toEqual(line('Hello'));
    expect(screen()).toContain('> ');
    expect(screen()).toContain('Hello');
  });

  it('wait during an answer without an echo, and appear at the next prompt', async () => {
    const { lines, press, screen, clearScreen, settled } = prompt();
    const first = lines.next('> ');
    press('One\r');
    await first;
    clearScreen();
    press('Two\rThr');
    await settled();
    expect(screen()).toBe('');
    expect(await lines.next('> ')).toEqual(line('Two'));
    expect(screen()).toBe('> Two\n');
    const third = lines.next('> ');
    expect(screen()).toMatch(/> Thr/);
    press('ee\r');
    expect(await third).toEqual(line('Three'));
  });

  it('continue each other if they are pasted, and the last can be edited', async () => {
    const { lines, press, screen, settled } = prompt();
    const first = lines.next('> ');
    expect(screen()).toContain('\u001b[?2004h');
    press('\u001b[200~a\rb\tb\r\nc\u001b[201~');
    expect(await first).toEqual(line('a', true));
    expect(await lines.next('… ')).toEqual(line('b\tb', true));
    const last = lines.next('… ');
    await settled();
    press('!\r');
    expect(await last).toEqual(line('c!'));
  });

  it('are cleared by Ctrl-C', async () => {
    const { lines, press, screen, interrupts } = prompt();
    const first = lines.next('> ');
    press('half\u0003');
    expect(await first).toEqual({ kind: 'interrupted', cleared: true });
    expect(screen()).toContain('^C\n');
    const second = lines.next('> ');
    press('\u0003');
    expect(await second).toEqual({ kind: 'interrupted', cleared: false });
    const third = lines.next('> ');
    press('new\r');
    expect(await third).toEqual(line('new'));
    expect(interrupts()).toBe(0);
  });

  it('are discarded if Ctrl-C stops an answer', async () => {
    const { lines, press, interrupts, settled } = prompt();
    const first = lines.next('> ');
    press('One\r');
    await first;
    press('Two\rThr\u0003');
    await settled();
    expect(interrupts()).toBe(1);
    const next = lines.next('> ');
    press('Four\r');
    expect(await next).toEqual(line('Four'));
  });

  it('end at Ctrl-D, and restore the terminal', async () => {
    const { lines, press, screen } = prompt();
    const first = lines.next('> ');
    press('\u0004');
    expect(await first).toEqual(ended);
    expect(await lines.next('> ')).toEqual(ended);
    expect(screen().endsWith('\n\u001b[?2004l')).toBe(true);
  });
});

describe('lines from a pipe', () => {
  async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<readonly InputLine[]> {
    const lines = new PipedLines(Readable.from(chunks));
    const all: InputLine[] = [];
    for (;;) {
      const line = await lines.next();
      all.push(line);
      if (line.kind !== 'line') return all;
    }
  }

  it('are split at line ends, wherever the chunks are cut, and the last may lack its line end', async () => {
    const [first, second] = [
      Buffer.from('héllo\n').subarray(0, 2),
      Buffer.from('héllo\n').subarray(2),
    ];
    expect(await linesOf(first, second, 'two\r\n\nfo', 'ur')).toEqual([
      line('héllo'),
      line('two'),
      line(''),
      line('four'),
      ended,
    ]);
    expect(await linesOf()).toEqual([ended]);
  });

  it('fail if one is longer than 4 MB, for example if a video file is piped in', async () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    const lines = await linesOf(megabyte, megabyte, megabyte, megabyte, 'x', megabyte);
    expect(lines).toMatchObject([{ kind: 'failed', error: { code: 'stdinTooLong' } }]);
  });

  it('end a pending read when the input is closed', async () => {
    const stream = new Readable({ read: () => undefined });
    const lines = new PipedLines(stream);
    const waiting = lines.next();
    lines.close();
    expect(await waiting).toEqual(ended);
    expect(stream.destroyed).toBe(true);
  });
});
