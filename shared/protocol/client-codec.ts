import type { Base64 } from './base64.ts';
import type { ClientCodec } from './codec.ts';
import { decodeServerEvent } from './decode/decode-server-event.ts';
import { encodeLegacyClientEvent } from './legacy/encode-legacy-client-event.ts';
import { encodeUnifiedClientEvent } from './unified/encode-unified-client-event.ts';

export function createClientCodec(base64: Base64): ClientCodec {
  const encoders = { unified: encodeUnifiedClientEvent, legacy: encodeLegacyClientEvent } as const;
  return {
    encodeClientEvent: (event, dialect) => JSON.stringify(encoders[dialect](event, base64)),
    decodeServerEvent: (text) => decodeServerEvent(text, base64),
  };
}
