import type { TalkRecord } from '../../../../shared/history/talk-record.ts';
import type { TalkTranscript, TranscriptLine } from './transcript-value.ts';

/** Of a talk whose text alone is kept. */
export function transcriptOfRecord(record: TalkRecord): TalkTranscript {
  return {
    mode: record.mode,
    server: record.server.address ?? record.server.name,
    recordedAt: new Date(record.begunAt).toISOString(),
    lines: record.turns.map((turn) => lineOf(turn)),
  };
}

/** The person's own words, where the record has them. */
export function ownWordsOf({ turns }: Pick<TalkRecord, 'turns'>): readonly TranscriptLine[] {
  return turns.filter(({ by }) => by === 'person').map(lineOf);
}

function lineOf({
  by,
  at,
  text,
  cutFrom,
  transcribed,
}: TalkRecord['turns'][number]): TranscriptLine {
  const heard = cutFrom ?? text.length;
  return {
    at,
    by,
    text: text.slice(0, heard),
    unheard: text.slice(heard),
    byMachine: transcribed === 'byMachine',
  };
}
