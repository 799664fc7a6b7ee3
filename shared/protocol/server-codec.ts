import type { Base64 } from './base64.ts';
import type { ClientEventProblem, ClientEvent } from './client-event.ts';
import type { DialectName } from './dialect-and-mode.ts';
import type { ServerEvent } from './server-event.ts';
import type { ClientReading } from './decode/client-reading.ts';
import { decodeClientEvent } from './decode/decode-client-event.ts';
import { createOlderChatCodec } from './legacy/older-chat-codec.ts';
import type { OlderChatCodec } from './legacy/older-chat-codec.ts';
import { encodeLegacyServerEvent } from './legacy/encode-legacy-server-event.ts';
import { stringifyWithBytes } from './stringify-with-bytes.ts';
import { encodeUnifiedServerEvent } from './unified/encode-unified-server-event.ts';

/** The server's side of the wire, for the embedded gateway. */
export interface ServerCodec {
  /** One event can take several frames: the unified dialect sends text and sound apart. */
  readonly encodeServerEvent: (event: ServerEvent, dialect: DialectName) => readonly string[];
  /** Never throws; an event of the other dialect is `unknown_event`. */
  readonly decodeClientEvent: (
    text: string,
    dialect: DialectName,
    reading?: ClientReading,
  ) => ClientEvent | ClientEventProblem;
  /** Of gateways of the older generation, for their written conversations. */
  readonly olderChat: OlderChatCodec;
}

export function createServerCodec(base64: Base64): ServerCodec {
  const encoders = { unified: encodeUnifiedServerEvent, legacy: encodeLegacyServerEvent } as const;
  return {
    encodeServerEvent: (event, dialect) =>
      stringifyWithBytes((bytes) => encoders[dialect](event, bytes), base64),
    decodeClientEvent: (text, dialect, reading) =>
      decodeClientEvent(text, dialect, base64, reading),
    olderChat: createOlderChatCodec(base64),
  };
}
