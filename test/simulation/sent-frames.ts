import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';

// Every sample of the simulated user's sound has one of these values, so that sent frames show what was said.

/** Speech while Parley shows that it sends nothing. */
export const mutedSample = 0.3125;
export const spokenSample = 0.25;
export const quietSample = 0.0005;

const codec = createServerCodec(bufferBase64);

/** Far longer than any frame without sound. */
const appendLength = 4000;

/** Finds sound in a client's frame; with `mayBeMuted` also searches it for speech of a muted user. */
export function appendIn(
  text: string,
  dialect: DialectName,
  mayBeMuted: boolean,
): { readonly saidMuted: boolean } | undefined {
  if (!mayBeMuted) return text.length > appendLength ? { saidMuted: false } : undefined;
  const event = codec.decodeClientEvent(text, dialect);
  if (event.kind !== 'append') return undefined;
  return { saidMuted: event.audio.includes(mutedSample) };
}
