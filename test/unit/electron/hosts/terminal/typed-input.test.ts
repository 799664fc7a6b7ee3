import { PassThrough, Readable } from 'node:stream';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  PipedLines,
  TypedLines,
  type InputLine,
} from '../../../../../electron/hosts/terminal/line-input.ts';
import {
  redrawKey,
  TypedKeys,
  type TypedKeysSystem,
} from '../../../../../electron/hosts/terminal/typed-keys.ts';

describe('lines of input', () => {
  let opened: TypedLines | undefined;

  afterEach(() => {
    opened?.close();
    opened = undefined;
  });

  /** A prompt on a fake terminal: the test presses keys and reads the screen. */
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

    it('continue each other if they are pasted, and the user can edit the last one', async () => {
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
      expect(interrupts()).toBe(0);
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

    it('fail if a line is longer than 4 MB, for example if a video file is piped in', async () => {
      const megabyte = 'x'.repeat(1024 * 1024);
      const lines = await linesOf(megabyte, megabyte, megabyte, megabyte, 'x', megabyte);
      expect(lines).toMatchObject([{ kind: 'failed', error: { code: 'stdinTooLong' } }]);
    });
  });
});

describe('keys of a talk', () => {
  /** A terminal whose foreground program is Parley or another, and the signals of the system. */
  class FakeTerminal extends EventEmitter {
    raw = false;
    reading = false;
    inForeground = true;
    isGone = false;
    readonly sent: string[] = [];
    readonly signals = new EventEmitter();

    setRawMode(raw: boolean): this {
      if (this.isGone) throw new Error('EIO');
      if (!this.inForeground) throw new Error('stopped: the background must not touch it');
      this.raw = raw;
      return this;
    }

    resume(): this {
      this.reading = true;
      return this;
    }

    pause(): this {
      this.reading = false;
      return this;
    }

    type(text: string): void {
      if (this.reading) this.emit('data', Buffer.from(text));
    }

    readonly system: TypedKeysSystem = {
      input: this,
      signal: (name, whom) => {
        this.sent.push(`${name} ${whom}, ${this.raw ? 'raw' : 'restored'}`);
      },
      onSignal: (name, listener) => this.#on(name, listener),
      onExit: (listener) => this.#on('exit', listener),
      isInFront: () => this.inForeground,
    };

    get hasNoListeners(): boolean {
      return this.signals.eventNames().length === 0 && this.eventNames().length === 0;
    }

    #on(name: string, listener: () => void): () => void {
      this.signals.on(name, listener);
      return () => this.signals.off(name, listener);
    }
  }

  let terminal: FakeTerminal;
  let pressed: string;
  let keys: TypedKeys;

  beforeEach(() => {
    vi.useFakeTimers();
    terminal = new FakeTerminal();
    pressed = '';
  });

  afterEach(() => {
    keys.close();
  });

  function open(): void {
    keys = new TypedKeys(terminal.system, (key) => {
      if (key !== redrawKey) pressed += key;
    });
  }

  describe('keys that are typed', () => {
    it('arrive one by one in lower case until the keys are closed, which restores the terminal', () => {
      open();
      expect(terminal.raw).toBe(true);
      terminal.type('m');
      terminal.type('M');
      terminal.type(' ?');
      expect(pressed).toBe('mm ?');
      keys.close();
      terminal.type('m');
      expect([pressed, terminal.raw, terminal.reading, terminal.hasNoListeners]).toEqual([
        'mm ?',
        false,
        false,
        true,
      ]);
    });

    it('do not include arrow keys and pasted text, but send signals for Ctrl-C even within such input', () => {
      open();
      for (const text of ['\u001b[A', '\u001bm', 'quit now', 'quit\u0003', '\u001c'])
        terminal.type(text);
      expect(terminal.sent).toEqual(['SIGINT all, raw', 'SIGQUIT all, raw']);
      expect(pressed).toBe('');
    });
  });

  describe('the terminal', () => {
    it('is restored before a signal ends Parley', () => {
      open();
      terminal.signals.emit('SIGHUP');
      expect(terminal.sent).toEqual(['SIGHUP self, restored']);
      expect(terminal.hasNoListeners).toBe(true);
    });

    it('is restored while Parley is stopped by Ctrl-Z or a signal, until it continues', async () => {
      open();
      terminal.type('\u001a');
      expect([terminal.raw, terminal.reading]).toEqual([false, false]);
      // With a listener, the stop signal would not stop the process.
      expect(terminal.signals.listenerCount('SIGTSTP')).toBe(0);
      await vi.advanceTimersByTimeAsync(50);
      expect([terminal.raw, terminal.reading]).toEqual([true, true]);
      terminal.signals.emit('SIGTSTP');
      expect(terminal.raw).toBe(false);
      terminal.signals.emit('SIGCONT');
      expect(terminal.raw).toBe(true);
      expect(terminal.sent).toEqual(['SIGTSTP all, restored', 'SIGTSTP self, restored']);
    });

    it('is left alone while Parley is in the background', async () => {
      terminal.inForeground = false;
      open();
      terminal.type('m');
      await vi.advanceTimersByTimeAsync(5000);
      expect([terminal.raw, terminal.reading]).toEqual([false, false]);
      terminal.inForeground = true;
      await vi.advanceTimersByTimeAsync(1000);
      terminal.type('m');
      expect([terminal.raw, pressed]).toEqual([true, 'm']);
    });
  });
});
