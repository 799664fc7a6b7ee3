import { describeError } from '../../../shared/errors/app-error.ts';
import { Listeners } from '../../../shared/listeners.ts';
import type { DesktopSession } from '../../../shared/ports/desktop.ts';
import {
  busCall,
  DbusConnection,
  sessionBusSocket,
  type DbusMessage,
} from '../dbus/dbus-connection.ts';
import type { DbusValue } from '../dbus/dbus-values.ts';
import { XConnection } from '../x11/x-connection.ts';
import {
  getSelectionOwner,
  replyValue,
  subscribeToWindow,
  type XEnvironment,
} from '../x11/x-protocol.ts';

type TrayKind = 'bus' | 'x11' | undefined;

const watcher = 'org.kde.StatusNotifierWatcher';

/** Screen savers have different names on different desktops, and the same signals. */
const screenSavers = ['freedesktop', 'gnome', 'cinnamon', 'mate', 'xfce'].map(
  (desktop) => `org.${desktop}.ScreenSaver`,
);

/**
 * A Linux desktop session: its session bus, and its X display for old trays (XEmbed). Without either there is
 * no tray.
 */
export class LinuxDesktopSession implements DesktopSession {
  readonly #x = new XTray();
  readonly #trayListeners = new Listeners<boolean>();
  readonly #lockListeners = new Listeners<undefined>();
  #bus: DbusConnection | undefined;
  #hasBusTray = false;
  #kind: TrayKind;

  readonly canNotify = (): boolean => this.#bus !== undefined;
  readonly hasTray = (): boolean => this.#kind !== undefined;
  /** Also calls back when the kind of tray changes, because the icon must then be created again. */
  readonly onTrayChange: DesktopSession['onTrayChange'] = (listener) =>
    this.#trayListeners.add(listener);
  readonly onLock: DesktopSession['onLock'] = (listener) => this.#lockListeners.add(listener);

  /** Resolves when the desktop was queried: to undefined, or to an error text if that failed. */
  readonly detected: Promise<string | undefined>;

  constructor(environment: XEnvironment) {
    this.#x.onShown(() => this.#updateTray());
    this.detected = this.#connect(environment);
  }

  async #connect(environment: XEnvironment): Promise<string | undefined> {
    const connections = [this.#connectBus(environment)];
    // Under Wayland, an X tray would not show the icon.
    if (!isWayland({ platform: 'linux', environment }))
      connections.push(this.#x.connect(environment));
    const errors = (await Promise.allSettled(connections)).flatMap((result) =>
      result.status === 'rejected' ? [describeError(result.reason)] : [],
    );
    return errors.length > 0 ? errors.join('; ') : undefined;
  }

  readonly end = async (): Promise<void> => {
    this.#x.end();
    await this.#bus?.end();
  };

  async #connectBus(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
    const socket = sessionBusSocket(environment);
    if (socket === undefined) return;
    const bus = await DbusConnection.open(socket);
    this.#bus = bus;
    bus.onSignal((signal) => {
      void this.#onSignal(bus, signal);
    });
    bus.onClosed(() => {
      this.#bus = undefined;
      this.#hasBusTray = false;
      this.#updateTray();
    });
    const rules = [
      `member='NameOwnerChanged',arg0='${watcher}'`,
      `interface='${watcher}'`,
      ...screenSavers.map((name) => `interface='${name}',member='ActiveChanged'`),
    ];
    await Promise.all(rules.map((rule) => bus.subscribe(`type='signal',${rule}`)));
    await this.#checkTray(bus);
  }

  async #onSignal(bus: DbusConnection, signal: DbusMessage): Promise<void> {
    if (screenSavers.includes(signal.interface)) {
      if (signal.body[0] === true) this.#lockListeners.emit(undefined);
      return;
    }
    await this.#checkTray(bus);
  }

  async #checkTray(bus: DbusConnection): Promise<void> {
    // Checked first, because a call to a name without an owner could start a program.
    const [hasOwner] = await bus
      .call({ ...busCall('NameHasOwner'), signature: 's', body: [watcher] })
      .catch(noValues);
    this.#hasBusTray = hasOwner === true && (await hasHost(bus));
    this.#updateTray();
  }

  #updateTray(): void {
    const x11 = this.#x.isShown() ? 'x11' : undefined;
    const kind: TrayKind = this.#hasBusTray ? 'bus' : x11;
    if (kind === this.#kind) return;
    this.#kind = kind;
    this.#trayListeners.emit(kind !== undefined);
  }
}

async function hasHost(bus: DbusConnection): Promise<boolean> {
  const [host] = await bus
    .call({
      destination: watcher,
      path: '/StatusNotifierWatcher',
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [watcher, 'IsStatusNotifierHostRegistered'],
    })
    .catch(noValues);
  return typeof host === 'object' && 'value' in host && host.value === true;
}

const noValues = (): readonly DbusValue[] => [];

export interface KeySystem {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether the session is Wayland, where an X server serves only old programs and sees only their keys. */
export function isWayland({ platform, environment }: KeySystem): boolean {
  if (platform !== 'linux') return false;
  return isSet(environment['WAYLAND_DISPLAY']) || environment['XDG_SESSION_TYPE'] === 'wayland';
}

/** Whether a program may observe and grab global keys in this session. */
export function canObserveKeys(system: KeySystem): boolean {
  const { platform, environment } = system;
  if (platform === 'darwin' || platform === 'win32') return true;
  return platform === 'linux' && isSet(environment['DISPLAY']) && !isWayland(system);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

const noWindow = 0;

/** Detects an XEmbed tray. The tray owns a selection of its X screen and announces itself to all programs, so Parley need not poll. */
export class XTray {
  readonly #listeners = new Listeners<boolean>();
  #connection: XConnection | undefined;
  #selection = noWindow;
  #isShown = false;

  readonly isShown = (): boolean => this.#isShown;
  readonly onShown = (listener: (shown: boolean) => void): (() => void) =>
    this.#listeners.add(listener);

  /** Resolves once the tray is known. Throws if the local display does not answer. */
  async connect(environment: XEnvironment): Promise<void> {
    const connection = await XConnection.open(environment, {
      // A tray appeared or disappeared, or its window ended before the subscription.
      onEvent: () => void this.#checkOwner(),
      onClosed: () => this.#setIsShown(false),
    });
    this.#connection = connection;
    if (connection === undefined) return;
    // Subscribes before it asks, so that a tray which appears in between is noticed.
    connection.send(subscribeToWindow(connection.root));
    this.#selection = await connection.atom(`_NET_SYSTEM_TRAY_S${connection.screen}`);
    await this.#checkOwner();
  }

  end(): void {
    this.#connection?.end();
  }

  async #checkOwner(): Promise<void> {
    const connection = this.#connection;
    const reply = await connection?.ask(getSelectionOwner(this.#selection));
    const owner = (reply && replyValue(reply)) ?? noWindow;
    if (owner !== noWindow) connection?.send(subscribeToWindow(owner));
    this.#setIsShown(owner !== noWindow);
  }

  #setIsShown(shown: boolean): void {
    if (shown === this.#isShown) return;
    this.#isShown = shown;
    this.#listeners.emit(shown);
  }
}
