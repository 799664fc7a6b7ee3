import type { SessionSettings } from '../../../../shared/protocol/client-event.ts';
import type { ServerCodec } from '../../../../shared/protocol/server-codec.ts';
import type { Tape } from '../../recording/tape.ts';

/** With what the first session of a tape was configured, voices included. */
export function settingsOnTape(
  { lines, frame }: Pick<Tape, 'lines' | 'frame'>,
  codec: Pick<ServerCodec, 'decodeClientEvent'>,
): SessionSettings {
  for (const line of lines) {
    if (line.dir !== 'out' || !('frame' in line)) continue;
    const text = JSON.stringify(frame(line.frame));
    for (const dialect of ['unified', 'legacy'] as const) {
      const ask = codec.decodeClientEvent(text, dialect);
      if (ask.kind === 'configure') return ask.settings;
      if (ask.kind === 'append' || ask.kind === 'chat') return {};
    }
  }
  return {};
}
