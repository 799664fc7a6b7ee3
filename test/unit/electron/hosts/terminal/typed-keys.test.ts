import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  redrawKey,
  TypedKeys,
  type TypedKeysSystem,
} from '../../../../../electron/hosts/terminal/typed-keys.ts';

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
  vi.useRealTimers();
});

function open(): void {
  keys = new TypedKeys(terminal.system, (key) => {
    if (key !== redrawKey) pressed += key;
  });
}

describe('keys that are typed', () => {
  it('arrive one by one in lower case until they are closed, which restores the terminal', () => {
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

  it('do not include arrow keys and pasted text', () => {
    open();
    terminal.type('\u001b[A');
    terminal.type('\u001bm');
    terminal.type('quit now');
    expect(pressed).toBe('');
  });

  it('send signals for Ctrl-C and similar keys, anywhere in the input', () => {
    open();
    terminal.type('\u0003');
    terminal.type('quit\u0003');
    terminal.type('\u001c');
    expect(terminal.sent).toEqual(['SIGINT all, raw', 'SIGINT all, raw', 'SIGQUIT all, raw']);
    expect(pressed).toBe('');
  });
});

describe('the terminal', () => {
  it.each(['SIGHUP', 'SIGQUIT'])('is restored before %s ends Parley', (name) => {
    open();
    terminal.signals.emit(name);
    expect(terminal.sent).toEqual([`${name} self, restored`]);
    expect(terminal.hasNoListeners).toBe(true);
  });

  it('is restored on every exit', () => {
    open();
    terminal.signals.emit('exit');
    expect(terminal.raw).toBe(false);
  });

  it('is restored while Parley is stopped by Ctrl-Z or a signal, until it continues', async () => {
    open();
    terminal.type('\u001a');
    expect([terminal.raw, terminal.reading]).toEqual([false, false]);
    // Otherwise the stop signal would only reach a listener.
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

  it('is left to the shell if Parley continues in the background, and is given up if it is gone', () => {
    open();
    terminal.inForeground = false;
    terminal.raw = false;
    terminal.signals.emit('SIGCONT');
    expect([terminal.raw, terminal.reading]).toEqual([false, false]);
    terminal.isGone = true;
    terminal.inForeground = true;
    terminal.signals.emit('SIGCONT');
    expect(terminal.hasNoListeners).toBe(true);
  });
});
