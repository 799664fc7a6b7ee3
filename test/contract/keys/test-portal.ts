import { BusProgram, messageType } from './bus-program.ts';
import type { BusMessage } from './bus-program.ts';

const portalPath = '/org/freedesktop/portal/desktop';

/** How a desktop reacts to a key request. */
export type PortalBehaviour = 'grants' | 'refuses' | 'asks' | 'hasNoShortcuts';

interface Called {
  readonly member: string;
  readonly body: readonly unknown[];
}

/** A desktop portal according to the GlobalShortcuts specification, with control of the key. */
export class TestPortal {
  readonly #program: BusProgram;
  readonly #behaviour: PortalBehaviour;
  /** The client that asked last. */
  #client = '';
  #pending: (() => void) | undefined;
  readonly calls: Called[];
  session = '';

  private constructor(program: BusProgram, behaviour: PortalBehaviour, calls: Called[]) {
    this.#program = program;
    this.#behaviour = behaviour;
    this.calls = calls;
  }

  static async open(address: string, behaviour: PortalBehaviour = 'grants'): Promise<TestPortal> {
    const calls: Called[] = [];
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
    if (call.member === 'Get' && this.#behaviour !== 'hasNoShortcuts') {
      this.#program.reply(call, 'v', [['u', 1]]);
    } else if (call.member === 'CreateSession') {
      const token = optionIn(call.body?.[0], 'session_handle_token');
      this.session = `${portalPath}/session/${nameInPath(call.sender)}/${token}`;
      this.#client = call.sender;
      this.#respond(call, 0, 0, [['session_handle', ['s', this.session]]]);
      this.#reply(call, 0);
    } else if (call.member === 'BindShortcuts') {
      const code = this.#behaviour === 'refuses' ? 1 : 0;
      if (this.#behaviour === 'asks') {
        this.#reply(call, 3);
        this.#pending = () => {
          this.#respond(call, 3, code, []);
        };
        return;
      }
      this.#respond(call, 3, code, []);
      this.#reply(call, 3);
    } else {
      this.#program.refuse(call, 'org.freedesktop.DBus.Error.UnknownMethod');
    }
  }

  /** The user accepts the request. */
  allow(): void {
    this.#pending?.();
  }

  key(member: 'Activated' | 'Deactivated', id = 'push-to-talk'): void {
    this.#program.send(shortcutSignal(member, this.session, id));
  }

  closeSession(): void {
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

  others(): Promise<readonly string[]> {
    return this.#program.others();
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
