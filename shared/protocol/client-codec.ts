import type { Base64 } from './base64.ts';
import type { ClientEvent } from './client-event.ts';
import type { DialectName } from './dialect-and-mode.ts';
import { decodeServerEvent } from './decode/decode-server-event.ts';
import { encodeLegacyClientEvent } from './encode-legacy-client-event.ts';
import { encodeUnifiedClientEvent } from './encode-unified-client-event.ts';
import type { ServerEvent } from './server-event.ts';
import { stringifyWithBytes } from './stringify-with-bytes.ts';

/** The client's side of the wire. What servers say is told apart by itself, so reading needs no dialect. */
export interface ClientCodec {
  /** Throws only for what the dialect cannot say at all: a chat turn in legacy. */
  readonly encodeClientEvent: (ask: ClientEvent, dialect: DialectName) => string;
  /** Never throws, whatever the text is. */
  readonly decodeServerEvent: (text: string) => ServerEvent;
}

export function createClientCodec(base64: Base64): ClientCodec {
  const encoders = { unified: encodeUnifiedClientEvent, legacy: encodeLegacyClientEvent } as const;
  return {
    encodeClientEvent: (event, dialect) =>
      stringifyWithBytes((bytes) => [encoders[dialect](event, bytes)], base64).join(''),
    decodeServerEvent: (text) => decodeServerEvent(text, base64),
  };
}
