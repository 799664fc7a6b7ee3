import type { Base64 } from './base64.ts';
import type { ServerCodec } from './codec.ts';
import { decodeClientEvent } from './decode/decode-client-event.ts';
import { encodeLegacyServerEvent } from './legacy/encode-legacy-server-event.ts';
import { encodeUnifiedServerEvent } from './unified/encode-unified-server-event.ts';

export function createServerCodec(base64: Base64): ServerCodec {
  const encoders = { unified: encodeUnifiedServerEvent, legacy: encodeLegacyServerEvent } as const;
  return {
    encodeServerEvent: (event, dialect) =>
      encoders[dialect](event, base64).map((frame) => JSON.stringify(frame)),
    decodeClientEvent: (text, dialect) => decodeClientEvent(text, dialect, base64),
  };
}
