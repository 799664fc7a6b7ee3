import { appError } from '../../../../shared/errors/app-error.ts';
import type { Socket, Sockets } from '../../../ports/sockets.ts';

/** How a session ended that a second Ctrl-C terminated. */
export const closedByUser = {
  event: 'closed',
  error: appError('sessionCut'),
  by: 'client',
  orderly: false,
} as const;

/** Knows the newest connection, so that it can be terminated without asking the session. */
export class TerminableSockets implements Sockets {
  readonly #sockets: Sockets;
  #newest: Socket | undefined;

  constructor(sockets: Sockets) {
    this.#sockets = sockets;
  }

  readonly connect: Sockets['connect'] = (mode, listener) => {
    this.#newest = this.#sockets.connect(mode, listener);
    return this.#newest;
  };

  terminate(): void {
    this.#newest?.terminate();
  }
}
