import type { TFunction } from 'i18next';
import { type HistoryItem, recordTitle } from '../../shared/recordings/history-item.ts';
import type {
  OpenedTalkRecord,
  TalkRecord,
  TalkRecordEvent,
  TalkRecordPicture,
  TalkRecordTurn,
} from '../../shared/recordings/talk-record.ts';

export type RecordLine =
  | {
      readonly kind: 'turn';
      readonly at: number;
      readonly index: number;
      readonly turn: TalkRecordTurn;
    }
  | { readonly kind: 'picture'; readonly at: number; readonly picture: TalkRecordPicture }
  | { readonly kind: 'event'; readonly at: number; readonly event: TalkRecordEvent };

/**
 * Words, pictures and events by time. The head of the page shows when the talk began and ended, so those are left out.
 */
export function recordLines({ turns, pictures, events }: TalkRecord): readonly RecordLine[] {
  const lines: readonly RecordLine[] = [
    ...turns.flatMap((turn, index): readonly RecordLine[] =>
      turn.text.trim() === '' ? [] : [{ kind: 'turn', at: turn.at, index, turn }],
    ),
    ...pictures.map((picture) => ({ kind: 'picture', at: picture.at, picture }) as const),
    ...events.flatMap((event): readonly RecordLine[] =>
      event.kind === 'began' || event.kind === 'ended'
        ? []
        : [{ kind: 'event', at: event.at, event }],
    ),
  ];
  return lines.toSorted((first, second) => first.at - second.at);
}

/** The turn's text with its heard part. After the talk, words that were never heard count as cut. */
export function heardParts(turn: TalkRecordTurn, isOver: boolean) {
  const { text, heard, cutFrom } = turn;
  const cut =
    cutFrom ?? (isOver && turn.by === 'parley' && heard < text.length ? heard : undefined);
  return { text, heard: turn.by === 'person' ? text.length : heard, cutFrom: cut };
}

export function recordText(record: TalkRecord, t: TFunction): string {
  // Each name includes the separator that follows it.
  const names = t('talk.copy.who', { returnObjects: true });
  return record.turns
    .flatMap((turn) => {
      const { text, heard, cutFrom } = heardParts(turn, true);
      const heardText = text.slice(0, Math.min(cutFrom ?? text.length, Math.max(heard, 0))).trim();
      return heardText === ''
        ? []
        : [`${turn.by === 'person' ? names.you : names.parley}${heardText}`];
    })
    .join('\n\n');
}

export function isTextless({ tape, record }: OpenedTalkRecord): boolean {
  return tape && record.turns.length === 0 && record.events.length === 0;
}

/** The user's title, else the first words, else the kind of the entry. */
export function entryTitle(item: HistoryItem, t: TFunction): string {
  const { title, firstWords, kind } = item;
  const name = [title, firstWords].find((text) => text.trim() !== '');
  if (name !== undefined) return name;
  if (isTapeOnly(item)) return t('history.taped');
  return t(kind === 'talk' ? 'history.unsaid' : 'history.untitled');
}

export function isTapeOnly(item: HistoryItem): boolean {
  return item.kind === 'talk' && item.tape && item.firstWords === '' && item.pictures === 0;
}

export function talkTitle(t: TFunction, talk: OpenedTalkRecord): string {
  const named = recordTitle(talk.record);
  if (named !== '') return named;
  return t(isTextless(talk) ? 'history.taped' : 'history.unsaid');
}
