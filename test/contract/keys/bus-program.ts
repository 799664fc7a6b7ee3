import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** A message as the library represents it: numbers for its type, pairs for a dictionary. */
export interface BusMessage {
  readonly type: number;
  readonly serial: number;
  readonly sender: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly replySerial?: number;
  readonly body?: readonly unknown[];
}

interface Connection extends EventEmitter {
  readonly stream: { readonly destroy: () => void; readonly closed: boolean };
  readonly message: (message: object) => void;
}

interface Library {
  readonly createConnection: (options: { readonly busAddress: string }) => Connection;
}

const library = createRequire(import.meta.url)('@homebridge/dbus-native') as Library;

export const messageType = { call: 1, reply: 2, error: 3, signal: 4 } as const;

/** Another program on the bus. It uses a third-party library, so that a misunderstanding of D-Bus in Parley's code shows. */
export class BusProgram {
  readonly #connection: Connection;
  #serial = 0;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async join(busAddress: string, onCall: (call: BusMessage) => void): Promise<BusProgram> {
    const connection = library.createConnection({ busAddress });
    // Some tests kill the bus.
    connection.on('error', () => undefined);
    const program = new BusProgram(connection);
    connection.on('message', (message: BusMessage) => {
      if (message.type === messageType.call) onCall(message);
    });
    await once(connection, 'connect');
    await program.#askBus('Hello');
    return program;
  }

  async own(name: string): Promise<void> {
    await this.#askBus('RequestName', 'su', [name, 0]);
  }

  /** The unique names of the programs on the bus. */
  async uniqueNames(): Promise<readonly string[]> {
    const { body = [] } = await this.#askBus('ListNames');
    const names = body[0] as readonly string[];
    return names.filter((name) => name.startsWith(':'));
  }

  send(message: object): void {
    this.#serial += 1;
    this.#connection.message({ serial: this.#serial, ...message });
  }

  reply(to: BusMessage, signature: string, body: readonly unknown[]): void {
    const type = messageType.reply;
    this.send({ type, replySerial: to.serial, destination: to.sender, signature, body });
  }

  refuse(to: BusMessage, errorName: string): void {
    const body = [`${to.member} is refused`];
    const { serial: replySerial, sender: destination } = to;
    this.send({
      type: messageType.error,
      replySerial,
      destination,
      errorName,
      signature: 's',
      body,
    });
  }

  async leave(): Promise<void> {
    if (this.#connection.stream.closed) return;
    const closed = once(this.#connection.stream as unknown as EventEmitter, 'close');
    this.#connection.stream.destroy();
    await closed;
  }

  async #askBus(
    member: string,
    signature?: string,
    body?: readonly unknown[],
  ): Promise<BusMessage> {
    const bus = 'org.freedesktop.DBus';
    this.send({
      type: messageType.call,
      destination: bus,
      path: '/org/freedesktop/DBus',
      interface: bus,
      member,
      ...(signature !== undefined && { signature, body }),
    });
    const serial = this.#serial;
    return new Promise((resolve) => {
      const onMessage = (message: BusMessage): void => {
        if (message.replySerial !== serial) return;
        this.#connection.off('message', onMessage);
        resolve(message);
      };
      this.#connection.on('message', onMessage);
    });
  }
}
