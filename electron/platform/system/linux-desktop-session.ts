import { describeError } from '../../../shared/harmless-text.ts';
import { Listeners } from '../../../shared/listeners.ts';
import type { DesktopSession } from '../../../shared/ports/desktop.ts';
import { busCall, DbusConnection, sessionBusSocket } from '../dbus/dbus-connection.ts';
import type { DbusMessage } from '../dbus/dbus-message.ts';
import type { DbusValue } from '../dbus/dbus-values.ts';
import { XTray } from '../x11/x-tray.ts';

/** Whoever shows our icon; the two kinds show it by ways that know nothing of each other. */
type TrayKind = 'bus' | 'x11' | undefined;

/** A Linux desktop: its session bus, and for trays also its X display. */
export class LinuxDesktopSession implements DesktopSession {
  readonly #bus = new BusDesktopSession();
  readonly #x = new XTray();
  readonly #trayChanged = new Listeners<boolean>();
  #kind: TrayKind;

  readonly notifies = this.#bus.notifies;
  readonly onLock = this.#bus.onLock;
  readonly trayShown = (): boolean => this.#kind !== undefined;
  /** Also where another kind takes over, for which the icon has to be made anew. */
  readonly onTrayShown: DesktopSession['onTrayShown'] = (changed) => this.#trayChanged.add(changed);

  constructor() {
    const look = (): void => {
      this.#look();
    };
    this.#bus.onTrayShown(look);
    this.#x.onShown(look);
  }

  /** Settles once all is known; throws with what cannot be. */
  async connect(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
    const parts = [this.#bus.connect(environment)];
    // The engine draws under Wayland by itself, where an X tray would never see its icon.
    if (!isWayland({ platform: 'linux', environment })) parts.push(this.#x.connect(environment));
    const failed = (await Promise.allSettled(parts)).flatMap((part) =>
      part.status === 'rejected' ? [describeError(part.reason)] : [],
    );
    if (failed.length > 0) throw new Error(failed.join('; '));
  }

  async end(): Promise<void> {
    this.#x.end();
    await this.#bus.end();
  }

  #look(): void {
    const x11 = this.#x.shown() ? 'x11' : undefined;
    const kind: TrayKind = this.#bus.trayShown() ? 'bus' : x11;
    if (kind === this.#kind) return;
    this.#kind = kind;
    this.#trayChanged.emit(kind !== undefined);
  }
}

const watcher = 'org.kde.StatusNotifierWatcher';

/** Desktops name their screen savers differently; what they say is the same. */
const screenSavers = ['freedesktop', 'gnome', 'cinnamon', 'mate', 'xfce'].map(
  (desktop) => `org.${desktop}.ScreenSaver`,
);

/**
 * A Linux desktop by its session bus. Without a bus, or where nobody there knows of trays, none is shown; old
 * trays (XEmbed) are on no bus, and are found by `XTray`.
 */
class BusDesktopSession implements DesktopSession {
  readonly #trayChanged = new Listeners<boolean>();
  readonly #locked = new Listeners<undefined>();
  #bus: DbusConnection | undefined;
  #shown = false;

  readonly notifies = (): boolean => this.#bus !== undefined;
  readonly trayShown = (): boolean => this.#shown;
  readonly onTrayShown: DesktopSession['onTrayShown'] = (changed) => this.#trayChanged.add(changed);
  readonly onLock: DesktopSession['onLock'] = (locked) => this.#locked.add(locked);

  /** Settles once it is known; throws where there is a bus that cannot be used. */
  async connect(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
    const socket = sessionBusSocket(environment);
    if (socket === undefined) return;
    const bus = await DbusConnection.open(socket);
    this.#bus = bus;
    bus.onSignal((signal) => {
      void this.#hear(bus, signal);
    });
    bus.onClosed(() => {
      this.#bus = undefined;
      this.#setShown(false);
    });
    const rules = [
      `member='NameOwnerChanged',arg0='${watcher}'`,
      `interface='${watcher}'`,
      ...screenSavers.map((name) => `interface='${name}',member='ActiveChanged'`),
    ];
    await Promise.all(rules.map((rule) => bus.subscribe(`type='signal',${rule}`)));
    await this.#look(bus);
  }

  async end(): Promise<void> {
    await this.#bus?.end();
  }

  async #hear(bus: DbusConnection, signal: DbusMessage): Promise<void> {
    if (screenSavers.includes(signal.interface)) {
      if (signal.body[0] === true) this.#locked.emit(undefined);
      return;
    }
    await this.#look(bus);
  }

  async #look(bus: DbusConnection): Promise<void> {
    // Asked first, because a call to a name that nobody has could start a program.
    const [there] = await bus
      .call({ ...busCall('NameHasOwner'), signature: 's', body: [watcher] })
      .catch(noValues);
    this.#setShown(there === true && (await hasHost(bus)));
  }

  #setShown(shown: boolean): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#trayChanged.emit(shown);
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

/** What of this system decides where keys can be heard. */
export interface KeySystem {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Under Wayland X is there for old programs, and hears only the keys that are meant for those. */
export function isWayland({ platform, environment }: KeySystem): boolean {
  if (platform !== 'linux') return false;
  return isSet(environment['WAYLAND_DISPLAY']) || environment['XDG_SESSION_TYPE'] === 'wayland';
}

/** Whether a program may hear and take keys here that are meant for others. */
export function opensItsKeys(system: KeySystem): boolean {
  const { platform, environment } = system;
  if (platform === 'darwin' || platform === 'win32') return true;
  return platform === 'linux' && isSet(environment['DISPLAY']) && !isWayland(system);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
