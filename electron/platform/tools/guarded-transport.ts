import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { setTimeout } from 'node:timers/promises';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type AppError, appError } from '../../../shared/errors/app-error.ts';

/** Parsing this much takes up to 10 ms, for which a talk's other work waits. */
export const maxMessageBytes = 512 * 1024;
/** A server that sends more messages between two of ours is broken. */
const maxMessagesInARow = 1000;
/** A server that takes longer to forget its session must do so by itself. */
const sessionEndMs = 500;

/** Ends a server that floods: with messages that are too long, or with too many. */
export class GuardedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #inner: Transport;
  #received = 0;
  #hasFlooded = false;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  /** Why the server was ended, if it was. */
  fault(name: string): AppError | undefined {
    return this.#hasFlooded ? appError('toolServerFloods', { name }) : undefined;
  }

  async start(): Promise<void> {
    Object.assign(this.#inner, {
      onclose: () => this.onclose?.(),
      onerror: (error) => {
        if (/exceed|too long/iu.test(error.message)) this.#endFlood();
        this.onerror?.(error);
      },
      onmessage: (message, extra) => {
        this.#received += 1;
        if (this.#received > maxMessagesInARow) this.#endFlood();
        else this.onmessage?.(message, extra);
      },
    } satisfies Pick<Transport, 'onclose' | 'onerror' | 'onmessage'>);
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#received = 0;
    await this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    if (this.#inner instanceof StreamableHTTPClientTransport) {
      const ended = this.#inner.terminateSession().catch(() => undefined);
      await Promise.race([ended, setTimeout(sessionEndMs, undefined, { ref: false })]);
    }
    await this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /** Kills a program at once; an orderly end would read on for seconds. */
  #endFlood(): void {
    if (this.#hasFlooded) return;
    this.#hasFlooded = true;
    if (this.#inner instanceof StdioClientTransport) {
      const { pid } = this.#inner;
      try {
        if (pid !== null) process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
    void this.#inner.close().catch(() => undefined);
  }
}
