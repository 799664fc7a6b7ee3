import { Listeners } from '../../../shared/listeners.ts';
import { localDisplay, permitFor } from './x-display.ts';
import { XLine } from './x-line.ts';
import { getSelectionOwner, hearOf, internAtom } from './x-messages.ts';
import type { XMessage } from './x-messages.ts';

const nobody = 0;

/**
 * The old kind of tray (XEmbed), which no bus knows of: whoever shows the icons of a screen owns a selection of
 * that screen's. It announces itself to all when it comes, and its window ends with it, so nothing is polled.
 */
export class XTray {
  readonly #changed = new Listeners<boolean>();
  #line: XLine | undefined;
  #selection = nobody;
  #manager = nobody;
  #shown = false;

  readonly shown = (): boolean => this.#shown;
  readonly onShown = (changed: (shown: boolean) => void): (() => void) =>
    this.#changed.add(changed);

  /** Settles once it is known; throws where there is a display of this machine that cannot be asked. */
  async connect(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
    const display = localDisplay(environment);
    if (display === undefined) return;
    const permit = await permitFor(display, environment);
    const line = await XLine.open(
      display,
      permit,
      (message) => {
        this.#hear(message);
      },
      () => {
        this.#setShown(false);
      },
    );
    this.#line = line;
    // Before it is asked, so that who comes in between is heard of.
    line.tell(hearOf(line.root));
    const [selection, manager] = await Promise.all(
      [`_NET_SYSTEM_TRAY_S${display.screen}`, 'MANAGER'].map((name) => line.ask(internAtom(name))),
    );
    this.#selection = selection ?? nobody;
    this.#manager = manager ?? nobody;
    await this.#look(line);
  }

  end(): void {
    this.#line?.end();
  }

  #hear(message: XMessage): void {
    const line = this.#line;
    if (line === undefined || message.kind === 'other' || message.kind === 'reply') return;
    const foreign =
      message.kind === 'announced' &&
      !(message.type === this.#manager && message.selection === this.#selection);
    // An error is what comes of a window that has ended before it was listened to.
    if (!foreign) void this.#look(line);
  }

  async #look(line: XLine): Promise<void> {
    const owner = (await line.ask(getSelectionOwner(this.#selection))) ?? nobody;
    if (owner !== nobody) line.tell(hearOf(owner));
    this.#setShown(owner !== nobody);
  }

  #setShown(shown: boolean): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changed.emit(shown);
  }
}
