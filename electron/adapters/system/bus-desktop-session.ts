import { Listeners } from '../../../shared/listeners.ts';
import type { DesktopSession } from '../../ports/desktop-session.ts';
import { sessionBusSocket } from '../dbus/dbus-address.ts';
import { busCall, DbusConnection } from '../dbus/dbus-connection.ts';
import type { DbusMessage } from '../dbus/dbus-message.ts';
import type { DbusValue } from '../dbus/dbus-value.ts';

const watcher = 'org.kde.StatusNotifierWatcher';

/** Desktops name their screen savers differently; what they say is the same. */
const screenSavers = ['freedesktop', 'gnome', 'cinnamon', 'mate', 'xfce'].map(
  (desktop) => `org.${desktop}.ScreenSaver`,
);

/**
 * A Linux desktop by its session bus. Without a bus, or where nobody there knows of trays, none is shown; old
 * trays (XEmbed) are on no bus, and are found by `XTray`.
 */
export class BusDesktopSession implements DesktopSession {
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
