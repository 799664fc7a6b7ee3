import {
  busCall,
  type DbusConnection,
  DbusError,
  type DbusMessage,
  signalName,
} from './dbus-connection.ts';
import { asString, type DbusValue, type DbusVariant, dictionaryValue } from './dbus-values.ts';

export const sessionClosed = 'org.freedesktop.portal.Session.Closed';

const portalName = 'org.freedesktop.portal.Desktop';
const portalPath = '/org/freedesktop/portal/desktop';

interface PortalResponse {
  readonly answer: 'granted' | 'refused';
  readonly results: DbusValue | undefined;
}

/** One interface of the desktop portal. It accepts only signals from the portal's connection. */
export class DesktopPortal {
  readonly #bus: DbusConnection;
  readonly #interface: string;
  readonly #owner: string;
  #requests = 0;

  private constructor(bus: DbusConnection, interfaceName: string, owner: string) {
    this.#bus = bus;
    this.#interface = interfaceName;
    this.#owner = owner;
  }

  /** Throws a DbusError if there is no portal, or it lacks the interface. */
  static async find(bus: DbusConnection, interfaceName: string): Promise<DesktopPortal> {
    await bus.subscribe(`type='signal',sender='${portalName}'`);
    await bus.subscribe(
      `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${portalName}'`,
    );
    await registerAppId(bus);
    // Called before GetNameOwner, because `Get` starts a portal that is not running.
    await bus.call({
      ...portalCall('org.freedesktop.DBus.Properties', 'Get'),
      signature: 'ss',
      body: [interfaceName, 'version'],
    });
    const [owner] = await bus.call({
      ...busCall('GetNameOwner'),
      signature: 's',
      body: [portalName],
    });
    return new DesktopPortal(bus, interfaceName, asString(owner));
  }

  /** Returns the path of a new session, or undefined if the portal refuses. */
  async createSession(): Promise<string | undefined> {
    const created = await this.request('CreateSession', '', [], {
      session_handle_token: textVariant('parley'),
    });
    const handle = dictionaryValue(created.results, 'session_handle');
    return created.answer === 'granted' && typeof handle === 'string' ? handle : undefined;
  }

  /** Reports the portal's signals and its end. Ignores signals of other senders, because a key opens the microphone. */
  listen(onEvent: (signal: DbusMessage) => void, onGone: () => void): void {
    this.#bus.onSignal((signal) => {
      if (signal.sender === this.#owner) onEvent(signal);
      else if (isPortalGone(signal)) onGone();
    });
  }

  /** Sends a request and waits for the user's answer without a time limit. */
  async request(
    member: string,
    signature: string,
    body: readonly DbusValue[],
    options: Readonly<Record<string, DbusVariant>> = {},
  ): Promise<PortalResponse> {
    this.#requests += 1;
    const token = `parley${this.#requests}`;
    const ownName = this.#bus.name.slice(1).replaceAll('.', '_');
    const path = `${portalPath}/request/${ownName}/${token}`;
    const response = this.#response(path);
    // If the call itself fails, nobody awaits the response.
    response.catch(() => undefined);
    const allOptions = { ...options, handle_token: textVariant(token) };
    await this.call(member, `${signature}a{sv}`, [...body, Object.entries(allOptions)]);
    return response;
  }

  async call(member: string, signature: string, body: readonly DbusValue[]): Promise<void> {
    await this.#bus.call({ ...portalCall(this.#interface, member), signature, body });
  }

  /** Waits for the response. Called before the request is sent, because the response may come before the call's reply. */
  #response(path: string): Promise<PortalResponse> {
    return new Promise((resolve, reject) => {
      this.listen(
        (signal) => {
          if (signal.path !== path) return;
          if (signalName(signal) !== 'org.freedesktop.portal.Request.Response') return;
          const [code, results] = signal.body;
          resolve({ answer: code === 0 ? 'granted' : 'refused', results });
        },
        () => reject(new DbusError('', 'the portal left the bus')),
      );
      this.#bus.onClosed(() => {
        reject(new DbusError('', 'the connection to the D-Bus daemon closed'));
      });
    });
  }
}

export function textVariant(value: string): DbusVariant {
  return { signature: 's', value };
}

/** Registers Parley's application id with the portal. Portals before 1.20 lack this call and do not need it. */
async function registerAppId(bus: DbusConnection): Promise<void> {
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

function portalCall(interfaceName: string, member: string) {
  return { destination: portalName, path: portalPath, interface: interfaceName, member };
}

function isPortalGone(signal: DbusMessage): boolean {
  const [name, , newOwner] = signal.body;
  return (
    signal.sender === 'org.freedesktop.DBus' &&
    signalName(signal) === 'org.freedesktop.DBus.NameOwnerChanged' &&
    name === portalName &&
    newOwner === ''
  );
}
