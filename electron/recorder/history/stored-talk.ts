import { failure } from '../../../shared/errors/app-error.ts';
import { talkRecordCheck } from '../../../shared/history/talk-record-checks.ts';
import type { TalkItem } from '../../../shared/history/history-item.ts';
import type { TalkRecord } from '../../../shared/history/talk-record.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { PlacedText } from '../../../shared/history/find-place.ts';
import { firstWordsOf } from './first-words.ts';

const format = 'parley-talk';
const version = 1;

export function serializeTalk(record: TalkRecord): string {
  return `${JSON.stringify({ format, version, ...record }, undefined, 1)}\n`;
}

/** What stands in a record, or why that cannot be read. */
export function parseStoredTalk(path: string, text: string): Outcome<TalkRecord> {
  const stored = parseJsonObject(text);
  if (stored?.['format'] !== format) return failure('notTalkRecord', { path });
  if (typeof stored['version'] === 'number' && stored['version'] > version)
    return failure('talkRecordNewer', { path });
  const checked = talkRecordCheck.safeParse(stored);
  return checked.success
    ? { ok: true, value: checked.data }
    : failure('notTalkRecord', { path }, { detail: checked.error.issues[0]?.message });
}

/** As it stands in a list; whether it goes on and has a tape is not in the record. */
export function talkItemOf(id: string, record: TalkRecord): TalkItem {
  const { title, pinned, mode, server, begunAt, savedAt, ending, turns, pictures } = record;
  return {
    kind: 'talk',
    id,
    title,
    pinned,
    mode,
    at: begunAt,
    firstWords: firstWordsOf(turns.map(({ text }) => text)),
    pictures: pictures.length,
    seconds: Math.max(0, Math.round((savedAt - begunAt) / 1000)),
    server: server.name,
    ending: ending === undefined ? 'cut' : ending.orderly ? 'orderly' : 'trouble',
    tape: false,
  };
}

/** Also what nobody has heard: it was on the screen. */
export function textsOfTalk({ turns, server }: TalkRecord): readonly PlacedText[] {
  return [...turns.map(({ text }, turn) => ({ text, turn })), { text: server.name }];
}
