import type { Socket, SocketEnd, SocketListener, Sockets } from '../../shared/ports/sockets.ts';

/** Connections without a network: the test plays the server, message by message. */
export class FakeSockets implements Sockets {
  readonly lines: FakeSocket[] = [];

  readonly connect = (mode: string, listener: SocketListener): FakeSocket => {
    const line = new FakeSocket(mode, listener);
    this.lines.push(line);
    return line;
  };

  get line(): FakeSocket {
    const line = this.lines.at(-1);
    if (line === undefined) throw new Error('Nothing has been connected yet.');
    return line;
  }
}

/** One connection of `FakeSockets`: records sent texts, and receives what the test delivers. */
export class FakeSocket implements Socket {
  readonly mode: string;
  readonly sent: string[] = [];
  readonly closes: { readonly code: number; readonly reason: string }[] = [];
  terminated = false;
  /** Called with each text before it is sent. */
  onSend: ((text: string) => void) | undefined;
  readonly #listener: SocketListener;
  #state: 'connecting' | 'open' | 'ended' = 'connecting';

  constructor(mode: string, listener: SocketListener) {
    this.mode = mode;
    this.#listener = listener;
  }

  get state(): 'connecting' | 'open' | 'ended' {
    return this.#state;
  }

  readonly send = (text: string): void => {
    this.#listener.sending?.(text);
    this.onSend?.(text);
    this.sent.push(text);
  };

  readonly close = (code: number, reason: string): void => {
    this.closes.push({ code, reason });
  };

  readonly terminate = (): void => {
    this.terminated = true;
    this.end({ kind: 'closed', code: 1006, reason: '' });
  };

  open(): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'open';
    this.#listener.opened();
  }

  /** Delivers a frame from the server; `undefined` is a binary one. */
  receive(text: string | undefined): void {
    if (this.#state === 'open') this.#listener.received(text);
  }

  end(end: SocketEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#listener.ended(end);
  }
}
