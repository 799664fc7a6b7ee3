import { busCall, type DbusConnection, DbusError } from '../dbus/dbus-connection.ts';
import { type DbusMessage, signalName } from '../dbus/dbus-message.ts';
import { type DbusValue, type DbusVariant, entryOf, textOf } from '../dbus/dbus-values.ts';

const portalName = 'org.freedesktop.portal.Desktop';
const portalPath = '/org/freedesktop/portal/desktop';
export const shortcutsInterface = 'org.freedesktop.portal.GlobalShortcuts';

/** How a question to the person came out, and what it brought. */
interface PortalResponse {
  readonly answer: 'granted' | 'refused';
  readonly results: DbusValue | undefined;
}

/** The desktop's portal, and the only program whose signals count. */
export class PortalDesktop {
  readonly #bus: DbusConnection;
  readonly #owner: string;
  #requests = 0;

  private constructor(bus: DbusConnection, owner: string) {
    this.#bus = bus;
    this.#owner = owner;
  }

  /** Throws a DbusError where there is no portal, or one without shortcuts. */
  static async find(bus: DbusConnection): Promise<PortalDesktop> {
    await bus.subscribe(`type='signal',sender='${portalName}'`);
    await bus.subscribe(
      `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${portalName}'`,
    );
    await introduce(bus);
    // A call of its own, because it starts a portal that is not running yet.
    await bus.call({
      ...portalCall('org.freedesktop.DBus.Properties', 'Get'),
      signature: 'ss',
      body: [shortcutsInterface, 'version'],
    });
    const [owner] = await bus.call({
      ...busCall('GetNameOwner'),
      signature: 's',
      body: [portalName],
    });
    return new PortalDesktop(bus, textOf(owner));
  }

  /**
   * Calls back for every signal of the portal's, and once when it is gone. Any program of the session can
   * send what looks like one, and a key that opens the microphone is not taken from any.
   */
  listen(hear: (signal: DbusMessage) => void, gone: () => void): void {
    this.#bus.onSignal((signal) => {
      if (signal.sender === this.#owner) hear(signal);
      else if (isGone(signal)) gone();
    });
  }

  /** Asks something that may take as long as a person needs, and waits for the answer. */
  async request(
    member: string,
    signature: string,
    body: readonly DbusValue[],
    options: Readonly<Record<string, DbusVariant>> = {},
  ): Promise<PortalResponse> {
    this.#requests += 1;
    const token = `parley${this.#requests}`;
    const path = `${portalPath}/request/${this.#pathName()}/${token}`;
    const response = this.#response(path);
    // Where the call itself fails nobody waits for it.
    response.catch(() => undefined);
    const all = { ...options, handle_token: text(token) };
    await this.#bus.call({
      ...portalCall(shortcutsInterface, member),
      signature: `${signature}a{sv}`,
      body: [...body, Object.entries(all)],
    });
    return response;
  }

  /** Heard before it is asked for: the answer may come before the call's own reply. */
  #response(path: string): Promise<PortalResponse> {
    return new Promise((resolve, reject) => {
      this.listen(
        (signal) => {
          if (signal.path !== path) return;
          if (signalName(signal) !== 'org.freedesktop.portal.Request.Response') return;
          const [code, results] = signal.body;
          resolve({ answer: code === 0 ? 'granted' : 'refused', results });
        },
        () => {
          reject(new DbusError('', 'the portal is gone'));
        },
      );
      this.#bus.onClosed(() => {
        reject(new DbusError('', 'the bus is gone'));
      });
    });
  }

  /** This line's name on the bus, as it stands in the paths of its requests. */
  #pathName(): string {
    return this.#bus.name.slice(1).replaceAll('.', '_');
  }
}

export function text(value: string): DbusVariant {
  return { signature: 's', value };
}

/** The path of the session that a portal has made. */
export function sessionIn(results: DbusValue | undefined): string | undefined {
  const handle = entryOf(results, 'session_handle');
  return typeof handle === 'string' ? handle : undefined;
}

/** To be told by which name we are known here; portals before 1.20 have no such door, and need none. */
async function introduce(bus: DbusConnection): Promise<void> {
  try {
    await bus.call({
      ...portalCall('org.freedesktop.host.portal.Registry', 'Register'),
      signature: 'sa{sv}',
      body: ['org.parley.Parley', []],
    });
  } catch (error) {
    if (!(error instanceof DbusError) || error.errorName === '') throw error;
  }
}

function portalCall(face: string, member: string) {
  return { destination: portalName, path: portalPath, interface: face, member };
}

function isGone(signal: DbusMessage): boolean {
  const [name, , newOwner] = signal.body;
  return (
    signal.sender === 'org.freedesktop.DBus' &&
    signalName(signal) === 'org.freedesktop.DBus.NameOwnerChanged' &&
    name === portalName &&
    newOwner === ''
  );
}
