import { type EventEmitter, once } from 'node:events';
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

const messageType = { call: 1, reply: 2, error: 3, signal: 4 } as const;

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

const portalPath = '/org/freedesktop/portal/desktop';

/** How a desktop reacts to a request for keys or a keyboard. */
export type PortalBehaviour = 'grants' | 'refuses' | 'asks' | 'lacksInterface';

interface PortalCall {
  readonly member: string;
  readonly body: readonly unknown[];
}

/** A desktop portal according to the GlobalShortcuts and RemoteDesktop specifications. Tests press its keys. */
export class TestPortal {
  readonly #program: BusProgram;
  readonly #behaviour: PortalBehaviour;
  /** The bus name of the newest client. */
  #client = '';
  #pending: (() => void) | undefined;
  readonly calls: PortalCall[];
  session = '';
  /** How often it asked the user for permission to use the keyboard. */
  questions = 0;
  /** Key events of a granted keyboard, as keysym and direction: `65507 down`. */
  readonly pressed: string[] = [];
  #permission = '';
  #hasKeyboard = false;

  private constructor(program: BusProgram, behaviour: PortalBehaviour, calls: PortalCall[]) {
    this.#program = program;
    this.#behaviour = behaviour;
    this.calls = calls;
  }

  static async open(address: string, behaviour: PortalBehaviour = 'grants'): Promise<TestPortal> {
    const calls: PortalCall[] = [];
    const opened: TestPortal[] = [];
    const program = await BusProgram.join(address, (call) => {
      calls.push({ member: call.member, body: call.body ?? [] });
      for (const portal of opened) portal.#answer(call);
    });
    const portal = new TestPortal(program, behaviour, calls);
    opened.push(portal);
    await program.own('org.freedesktop.portal.Desktop');
    return portal;
  }

  get client(): string {
    return this.#client;
  }

  #answer(call: BusMessage): void {
    if (call.member === 'Get' && this.#behaviour !== 'lacksInterface') {
      this.#program.reply(call, 'v', [['u', 1]]);
    } else if (call.member === 'CreateSession') {
      const token = optionIn(call.body?.[0], 'session_handle_token');
      this.session = `${portalPath}/session/${nameInPath(call.sender)}/${token}`;
      this.#client = call.sender;
      this.#respond(call, 0, 0, [['session_handle', ['s', this.session]]]);
      this.#reply(call, 0);
    } else if (call.member === 'BindShortcuts') this.#decide(call, 3, () => []);
    else if (call.member === 'SelectDevices') {
      const token = optionIn(call.body?.[1], 'restore_token');
      this.#hasKeyboard = token !== '' && token === this.#permission;
      this.#respond(call, 1, 0, []);
      this.#reply(call, 1);
    } else if (call.member === 'Start') {
      if (!this.#hasKeyboard) this.questions += 1;
      this.#decide(call, 2, () => {
        this.#hasKeyboard = true;
        this.#permission = `permission-${this.calls.length}`;
        return [
          ['devices', ['u', 1]],
          ['restore_token', ['s', this.#permission]],
        ];
      });
    } else if (call.member === 'NotifyKeyboardKeysym' && this.#hasKeyboard) {
      const [, , keysym, state] = call.body ?? [];
      this.pressed.push(`${String(keysym)} ${state === 1 ? 'down' : 'up'}`);
      this.#program.reply(call, '', []);
      if (this.pressed.length === this.closesAfterKeys) this.closeSession();
    } else {
      this.#program.refuse(call, 'org.freedesktop.DBus.Error.UnknownMethod');
    }
  }

  /** Closes the session after this many keys. */
  closesAfterKeys = Infinity;

  #decide(call: BusMessage, options: number, grant: () => readonly unknown[]): void {
    const respond = (): void => {
      if (this.#behaviour === 'refuses') this.#respond(call, options, 1, []);
      else this.#respond(call, options, 0, grant());
    };
    if (this.#behaviour === 'asks') {
      this.#pending = respond;
      this.#reply(call, options);
      return;
    }
    respond();
    this.#reply(call, options);
  }

  /** The user accepts the request. */
  allow(): void {
    this.#pending?.();
  }

  key(member: 'Activated' | 'Deactivated', id = 'push-to-talk'): void {
    this.#program.send(shortcutSignal(member, this.session, id));
  }

  closeSession(): void {
    this.#hasKeyboard = false;
    this.#program.send({
      type: messageType.signal,
      path: this.session,
      interface: 'org.freedesktop.portal.Session',
      member: 'Closed',
      destination: this.#client,
    });
  }

  /** Disappears, as after a crash. */
  async leave(): Promise<void> {
    await this.#program.leave();
  }

  uniqueNames(): Promise<readonly string[]> {
    return this.#program.uniqueNames();
  }

  /** Without a dialog, the response comes before the call’s reply, which is allowed and easily missed. */
  #respond(call: BusMessage, options: number, code: number, results: readonly unknown[]): void {
    this.#program.send({
      type: messageType.signal,
      path: requestPath(call, options),
      interface: 'org.freedesktop.portal.Request',
      member: 'Response',
      destination: call.sender,
      signature: 'ua{sv}',
      body: [code, results],
    });
  }

  #reply(call: BusMessage, options: number): void {
    this.#program.reply(call, 'o', [requestPath(call, options)]);
  }
}

function requestPath(call: BusMessage, options: number): string {
  const token = optionIn(call.body?.[options], 'handle_token');
  return `${portalPath}/request/${nameInPath(call.sender)}/${token}`;
}

export function shortcutSignal(member: string, session: string, id: string): object {
  return {
    type: messageType.signal,
    path: portalPath,
    interface: 'org.freedesktop.portal.GlobalShortcuts',
    member,
    signature: 'osta{sv}',
    body: [session, id, 0, []],
  };
}

function nameInPath(name: string): string {
  return name.slice(1).replaceAll('.', '_');
}

/** The string under a name in the library’s form of `a{sv}`. */
function optionIn(options: unknown, name: string): string {
  const entries = options as readonly (readonly [string, readonly [unknown, readonly string[]]])[];
  return entries.find(([key]) => key === name)?.[1][1][0] ?? '';
}
