import type { ClientEventProblem, ClientEvent } from './client-event.ts';
import type { DialectName } from './dialect-and-mode.ts';
import type { ServerEvent } from './server-event.ts';

/** The client's side of the wire. What servers say is told apart by itself, so reading needs no dialect. */
export interface ClientCodec {
  /** Throws only for what the dialect cannot say at all: a chat turn in legacy. */
  readonly encodeClientEvent: (ask: ClientEvent, dialect: DialectName) => string;
  /** Never throws, whatever the text is. */
  readonly decodeServerEvent: (text: string) => ServerEvent;
}

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
