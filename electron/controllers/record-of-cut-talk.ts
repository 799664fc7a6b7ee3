import { recordedServer } from '../../shared/history/recorded-server.ts';
import { TalkRecordBuilder } from '../recorder/history/talk-record-builder.ts';
import type { CutTalk } from './talk-journal.ts';

/** The text of a talk that a crash has cut, as far as it was on the disk. */
export function recordOfCutTalk({ talk, captions, savedAt }: CutTalk): TalkRecordBuilder {
  const facts = { mode: talk.mode, server: recordedServer(talk.endpoint, undefined) };
  const builder = new TalkRecordBuilder(facts, () => savedAt);
  for (const { turn, text, heard, cutFrom } of captions)
    builder.caption({
      turn,
      added: text,
      heard,
      ...(cutFrom !== undefined && { cutFrom }),
      settled: true,
    });
  return builder;
}
