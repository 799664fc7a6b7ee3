import type { ChatTurnEvent } from '../../../../shared/protocol/client-event.ts';
import type { ServerCodec } from '../../../../shared/protocol/server-codec.ts';
import type { Tape } from '../../recording/tape.ts';

type Question = Omit<ChatTurnEvent, 'kind' | 'inputId'>;

/** What was asked in writing, in order: each with all that had been said before it, as it stands on the tape. */
export function questionsOnTape(
  { lines, frame }: Pick<Tape, 'lines' | 'frame'>,
  codec: Pick<ServerCodec, 'decodeClientEvent'>,
): readonly Question[] {
  return lines.flatMap((line) => {
    if (line.dir !== 'out' || !('frame' in line)) return [];
    const ask = codec.decodeClientEvent(JSON.stringify(frame(line.frame)), 'unified');
    if (ask.kind !== 'chat') return [];
    const { kind: _kind, inputId: _inputId, ...question } = ask;
    return [question];
  });
}
