import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { setTimeout } from 'node:timers/promises';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type AppError, appError } from '../../../shared/errors/app-error.ts';

/** The longest message. Parsing it takes up to 10 ms, for which the other work of a talk waits. */
export const maxMessageBytes = 512 * 1024;
/** A server that sends more messages than this between two of Parley's is broken. */
const maxMessagesInARow = 1000;
/** How long to wait until a server has ended its session. */
const sessionEndMs = 500;

/** A transport that ends a server which floods Parley with messages that are too long or too many. */
export class GuardedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #inner: Transport;
  #messagesInARow = 0;
  #hasFlooded = false;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  /** The error, if this transport has ended the server. */
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
        this.#messagesInARow += 1;
        if (this.#messagesInARow > maxMessagesInARow) this.#endFlood();
        else this.onmessage?.(message, extra);
      },
    } satisfies Pick<Transport, 'onclose' | 'onerror' | 'onmessage'>);
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#messagesInARow = 0;
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

  /** Ends the server. A program is killed, because an orderly end would read its output for seconds. */
  #endFlood(): void {
    if (this.#hasFlooded) return;
    this.#hasFlooded = true;
    if (this.#inner instanceof StdioClientTransport) {
      const { pid } = this.#inner;
      try {
        if (pid !== null) process.kill(pid, 'SIGKILL');
      } catch {
        // The program has ended already.
      }
    }
    void this.#inner.close().catch(() => undefined);
  }
}
