import type { TalkRecord, TalkRecordTurn } from '../../../shared/history/talk-record.ts';

/** What the person said, in a record. */
export interface OwnTurn {
  readonly at: number;
  /** Empty to take it out. */
  readonly text: string;
  readonly transcribed: 'byMachine' | 'corrected';
}

/** The record with the person's words where they were said; those at the same time take the place of what stood there. */
export function withOwnTurns(record: TalkRecord, own: readonly OwnTurn[]): TalkRecord {
  if (own.length === 0) return record;
  const times = new Set(own.map(({ at }) => at));
  const said = own.filter(({ text }) => text !== '').map(recordTurn);
  const kept = record.turns.filter(({ by, at }) => by === 'parley' || !times.has(at));
  const persons = [...kept.filter(({ by }) => by === 'person'), ...said].toSorted(
    (one, other) => one.at - other.at,
  );
  // Turns of Parley's stay in their order, whatever a clock that was set back made of their times.
  const turns: TalkRecordTurn[] = [];
  for (const turn of kept.filter(({ by }) => by === 'parley')) {
    while ((persons[0]?.at ?? Infinity) <= turn.at) turns.push(...persons.splice(0, 1));
    turns.push(turn);
  }
  turns.push(...persons);
  return { ...record, turns, events: eventsFor(record, turns) };
}

export function hasOwnTurn({ turns }: TalkRecord, at: number): boolean {
  return turns.some((turn) => turn.by === 'person' && turn.at === at);
}

function recordTurn({ at, text, transcribed }: OwnTurn): TalkRecordTurn {
  return { by: 'person', at, text, heard: text.length, transcribed };
}

/** Those that name a turn name the same one as before. */
function eventsFor(record: TalkRecord, turns: readonly TalkRecordTurn[]): TalkRecord['events'] {
  return record.events.map((event) => {
    const named = event.kind === 'interrupted' ? record.turns[event.turn] : undefined;
    return named === undefined ? event : { ...event, turn: turns.indexOf(named) };
  });
}
