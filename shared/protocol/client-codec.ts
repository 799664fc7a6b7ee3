import type { Base64 } from './base64.ts';
import type { ClientCodec } from './codec.ts';
import { decodeEvent } from './decode/decode-event.ts';
import { encodeLegacyAsk } from './legacy/encode-ask.ts';
import { encodeUnifiedAsk } from './unified/encode-ask.ts';

export function createClientCodec(base64: Base64): ClientCodec {
  const encoders = { unified: encodeUnifiedAsk, legacy: encodeLegacyAsk } as const;
  return {
    encodeAsk: (ask, dialect) => JSON.stringify(encoders[dialect](ask, base64)),
    decodeEvent: (text) => decodeEvent(text, base64),
  };
}
