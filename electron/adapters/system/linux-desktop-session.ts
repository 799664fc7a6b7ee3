import { describeError } from '../../../shared/describe-error.ts';
import { Listeners } from '../../../shared/listeners.ts';
import type { DesktopSession } from '../../ports/desktop-session.ts';
import { isWayland } from '../keys/key-system.ts';
import { XTray } from '../x11/x-tray.ts';
import { BusDesktopSession } from './bus-desktop-session.ts';

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
