import { appError } from '../../../../shared/errors/app-error.ts';
import type { Socket, Sockets } from '../../../ports/sockets.ts';

/** What an end is called that came of a second Ctrl-C. */
export const closedByUser = {
  event: 'closed',
  error: appError('sessionCut'),
  by: 'client',
  orderly: false,
} as const;

/** Knows the newest connection, so that it can be cut over the session's head. */
export class CuttableSockets implements Sockets {
  readonly #sockets: Sockets;
  #newest: Socket | undefined;

  constructor(sockets: Sockets) {
    this.#sockets = sockets;
  }

  readonly connect: Sockets['connect'] = (mode, listener) => {
    this.#newest = this.#sockets.connect(mode, listener);
    return this.#newest;
  };

  cut(): void {
    this.#newest?.terminate();
  }
}
