import type { Base64 } from './base64.ts';
import type { ServerCodec } from './codec.ts';
import { decodeAsk } from './decode/decode-ask.ts';
import { encodeLegacyEvent } from './legacy/encode-event.ts';
import { encodeUnifiedEvent } from './unified/encode-event.ts';

export function createServerCodec(base64: Base64): ServerCodec {
  const encoders = { unified: encodeUnifiedEvent, legacy: encodeLegacyEvent } as const;
  return {
    encodeEvent: (event, dialect) =>
      encoders[dialect](event, base64).map((frame) => JSON.stringify(frame)),
    decodeAsk: (text, dialect) => decodeAsk(text, dialect, base64),
  };
}
