import type { ClientEventProblem, ClientEvent } from './client-event.ts';
import type { DialectName } from './dialect-and-mode.ts';
import type { ServerEvent } from './server-event.ts';

/** The server's side of the wire, for the embedded gateway. */
export interface ServerCodec {
  /** One event can take several frames: the unified dialect sends text and sound apart. */
  readonly encodeServerEvent: (event: ServerEvent, dialect: DialectName) => readonly string[];
  /** Never throws; an event of the other dialect is `unknown_event`. */
  readonly decodeClientEvent: (
    text: string,
    dialect: DialectName,
  ) => ClientEvent | ClientEventProblem;
}
