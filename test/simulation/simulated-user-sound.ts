// The samples of the simulated user. Every sample has one of three values, so that a sent frame shows whether it contains
// speech from while the user was muted.
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';

/** Speech while Parley shows that the user is muted or the talk is paused. */
export const mutedSample = 0.3125;
export const spokenSample = 0.25;
export const quietSample = 0.0005;

const codec = createServerCodec(bufferBase64);

/** Far longer than any frame without sound. */
const appendLength = 4000;

/** The append in a client's frame, or undefined. Searches it for speech of a muted user only with `mayBeMuted`, because decoding is slow. */
export function findAppend(
  text: string,
  dialect: DialectName,
  mayBeMuted: boolean,
): { readonly saidMuted: boolean } | undefined {
  if (!mayBeMuted) return text.length > appendLength ? { saidMuted: false } : undefined;
  const event = codec.decodeClientEvent(text, dialect);
  if (event.kind !== 'append') return undefined;
  return { saidMuted: event.audio.includes(mutedSample) };
}
