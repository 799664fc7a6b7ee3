import { Listeners } from '../../../shared/listeners.ts';
import { XConnection } from './x-connection.ts';
import { getSelectionOwner, replyValue, subscribeToWindow } from './x-protocol.ts';

const noWindow = 0;

type Environment = Readonly<Record<string, string | undefined>>;

/** Detects an XEmbed tray. It owns a selection of its screen and announces itself, so Parley need not poll. */
export class XTray {
  readonly #listeners = new Listeners<boolean>();
  #connection: XConnection | undefined;
  #selection = noWindow;
  #isShown = false;

  readonly isShown = (): boolean => this.#isShown;
  readonly onShown = (listener: (shown: boolean) => void): (() => void) =>
    this.#listeners.add(listener);

  /** Resolves once the tray is known. Throws if the local display does not answer. */
  async connect(environment: Environment): Promise<void> {
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
