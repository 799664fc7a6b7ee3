import type { SocketEnd, SocketListener } from '../../shared/ports/sockets.ts';

/** Records the events of a connection in order, and lets a test wait for them. */
export class RecordingListener implements SocketListener {
  readonly log: (string | undefined | { readonly end: SocketEnd })[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly opened = (): void => {
    this.#add('<opened>');
  };

  /** Texts that the adapter announced before sending them. */
  readonly outgoing: string[] = [];

  readonly sending = (text: string): void => {
    this.outgoing.push(text);
  };

  readonly received = (text: string | undefined): void => {
    this.#add(text);
  };

  readonly ended = (end: SocketEnd): void => {
    this.#add({ end });
  };

  /** Resolves when at least `count` events have been recorded. */
  async reached(count: number): Promise<void> {
    while (this.log.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  async end(): Promise<SocketEnd> {
    for (;;) {
      const last = this.log.at(-1);
      if (typeof last === 'object') return last.end;
      await this.reached(this.log.length + 1);
    }
  }

  #add(entry: (typeof this.log)[number]): void {
    this.log.push(entry);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
