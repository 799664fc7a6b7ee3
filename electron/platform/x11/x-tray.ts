import { Listeners } from '../../../shared/listeners.ts';
import { XConnection } from './x-connection.ts';
import { getSelectionOwner, replyValue, subscribeToWindow } from './x-protocol.ts';

const noWindow = 0;

type Environment = Readonly<Record<string, string | undefined>>;

/** Detects an XEmbed tray, which owns its screen's selection and announces itself, so polling is unnecessary. */
export class XTray {
  readonly #changed = new Listeners<boolean>();
  #connection: XConnection | undefined;
  #selection = noWindow;
  #shown = false;

  readonly shown = (): boolean => this.#shown;
  readonly onShown = (changed: (shown: boolean) => void): (() => void) =>
    this.#changed.add(changed);

  /** Settles once the tray is known; throws if the local display does not answer. */
  async connect(environment: Environment): Promise<void> {
    const connection = await XConnection.open(environment, {
      // A tray appeared or disappeared, or its window ended before the subscription.
      onEvent: () => void this.#checkOwner(),
      onClosed: () => this.#setShown(false),
    });
    this.#connection = connection;
    if (connection === undefined) return;
    // Subscribes before asking, so a tray that appears in between is noticed.
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
    this.#setShown(owner !== noWindow);
  }

  #setShown(shown: boolean): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changed.emit(shown);
  }
}
