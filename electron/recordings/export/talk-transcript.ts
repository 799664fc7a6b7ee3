import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { Mode } from '../../../shared/protocol/realtime-api.ts';
import { emptyScene, sceneAfter } from '../../../shared/recordings/replay-view.ts';
import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import { builtInServer } from '../../../shared/settings/connection-settings.ts';
import { toOneLine } from '../../../shared/text.ts';
import { CaptionWords } from '../../talk/captions/caption-words.ts';
import type { Cue, CueWord } from '../../talk/captions/live-captions.ts';
import { formatLocalTime } from '../history/history-index.ts';
import { type RenderedTape, findSpeechSegments } from '../replay/rendered-tape.ts';
import type { TapeHeader } from '../tape/tape.ts';

/** Both sides of a talk as text, timed in milliseconds since it began. */
interface TalkTranscript {
  readonly mode: Mode;
  /** The server's address, or the user's name for it. */
  readonly server: string;
  /** ISO 8601; may be empty. */
  readonly recordedAt: string;
  readonly lines: readonly TranscriptLine[];
}

interface TranscriptLine {
  readonly at: number;
  readonly by: 'person' | 'parley';
  /** Heard text; undefined for speech without words. */
  readonly text: string | undefined;
  readonly unheard: string;
  readonly byMachine: boolean;
}

/**
 * Builds the transcript of what was heard in a taped talk. The user's words come from the talk's record; without
 * one only their times are known. A tape saved from the buffer holds only the end of its talk, so the transcript then
 * comes from the record.
 */
export function transcriptFromTape(
  rendered: RenderedTape,
  { mode, endpoint, recordedAt }: Pick<TapeHeader, 'mode' | 'endpoint' | 'recordedAt'>,
  record?: TalkRecord,
): TalkTranscript {
  const tapedAt = Date.parse(recordedAt);
  // A full tape begins before its talk. A tape that begins later was saved from the buffer.
  const offset = record === undefined || Number.isNaN(tapedAt) ? 0 : record.begunAt - tapedAt;
  if (record !== undefined && offset < 0) return transcriptFromRecord(record);
  const userLines = (record?.turns ?? [])
    .filter(({ by }) => by === 'person')
    .map((turn) => toLine({ ...turn, at: turn.at + offset }));
  const own =
    userLines.length > 0
      ? userLines
      : findSpeechSegments(rendered).map(({ from }) => wordless(from));
  const lines = [...toAnswerLines(rendered), ...own].toSorted((one, other) => one.at - other.at);
  return { mode, server: endpoint, recordedAt, lines };
}

function wordless(at: number): TranscriptLine {
  return { at, by: 'person', text: undefined, unheard: '', byMachine: false };
}

function toAnswerLines(rendered: RenderedTape): readonly TranscriptLine[] {
  const { talk } = rendered.notices.reduce(sceneAfter, emptyScene);
  const began = new Map<number, number>();
  for (const { at, name, payload } of rendered.notices)
    if (name === 'caption' && !began.has(payload.turn)) began.set(payload.turn, at);
  const sounded = new Map(rendered.turns.map(({ turn, from }) => [turn, from]));
  return talk.captions.map(({ turn, text, heard, cutFrom }) => {
    const until = cutFrom ?? text.length;
    // If the tape ends within a turn, the turn never settles; then its text ends with what was heard.
    const known =
      rendered.turns.length > 0 ? Math.min(until, Math.max(heard, cutFrom ?? 0)) : until;
    return {
      at: sounded.get(turn) ?? began.get(turn) ?? 0,
      by: 'parley',
      text: text.slice(0, known),
      unheard: text.slice(known),
      byMachine: false,
    } as const;
  });
}

export function transcriptFromRecord(record: TalkRecord): TalkTranscript {
  return {
    mode: record.mode,
    server: record.server.address ?? record.server.name,
    recordedAt: new Date(record.begunAt).toISOString(),
    lines: record.turns.map((turn) => toLine(turn)),
  };
}

function toLine({
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

export type TranscriptWords = CoreMessages['transcript'];

export function toMarkdownTranscript(transcript: TalkTranscript, words: TranscriptWords): string {
  const lines = transcript.lines.map((line) => {
    const said = line.text === undefined ? `*${words.noWords}*` : escapeMarkdown(line.text.trim());
    const cut = line.unheard.trim() === '' ? '' : ` ~~${escapeMarkdown(line.unheard.trim())}~~`;
    return `**${formatTime(line.at)} ${speakerLabel(line, words)}** ${said}${cut}\n`;
  });
  return [
    `# ${transcriptTitle(transcript, words)}\n`,
    `${escapeMarkdown(serverLabel(transcript, words))}\n`,
    ...lines,
  ].join('\n');
}

export function toPlainTranscript(transcript: TalkTranscript, words: TranscriptWords): string {
  const lines = transcript.lines.map((line) => {
    const said =
      line.text === undefined ? inBrackets(words.noWords, words).trim() : toOneLine(line.text);
    const cut =
      line.unheard.trim() === ''
        ? ''
        : inBrackets(`${words.notHeard}${words.colon}${toOneLine(line.unheard)}`, words);
    return `${formatTime(line.at)} ${speakerLabel(line, words)} ${said}${cut}`;
  });
  return [
    transcriptTitle(transcript, words),
    serverLabel(transcript, words),
    '',
    ...lines,
    '',
  ].join('\n');
}

export function toJsonTranscript(transcript: TalkTranscript): string {
  return `${JSON.stringify({ format: 'parley-transcript', version: 1, ...transcript }, null, 2)}\n`;
}

function transcriptTitle({ recordedAt }: TalkTranscript, { title }: TranscriptWords): string {
  return recordedAt === '' ? title : `${title}, ${formatTitleTime(recordedAt)}`;
}

/** A recording's local time, in the form that the window shows. An invalid time, as some tapes have, is returned unchanged. */
export function formatTitleTime(time: number | string): string {
  const at = new Date(time).getTime();
  return Number.isNaN(at) ? `${time}` : formatLocalTime(at);
}

function serverLabel(
  { server }: TalkTranscript,
  { demonstration, onComputer }: TranscriptWords,
): string {
  const kind = builtInServer(server)?.kind;
  if (kind === undefined) return server;
  return kind === 'computer' ? onComputer : demonstration;
}

function speakerLabel({ by, byMachine }: TranscriptLine, words: TranscriptWords): string {
  const who = by === 'person' ? words.you : 'Parley';
  return `${who}${byMachine ? inBrackets(words.byMachine, words) : ''}${words.colon.trimEnd()}`;
}

function inBrackets(text: string, { bracketOpen, bracketClose }: TranscriptWords): string {
  return `${bracketOpen}${text}${bracketClose}`;
}

function escapeMarkdown(text: string): string {
  return toOneLine(text).replaceAll(/[\\`*_[\]<>#~|]/gu, String.raw`\$&`);
}

function formatTime(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Words of all turns, with the times at which they were heard. A turn that the tape does not finish ends with the last word heard. */
export function cuesFromTape(rendered: RenderedTape): readonly Cue[] {
  const known = new Set(rendered.cues.map(({ turn }) => turn));
  const { talk } = rendered.notices.reduce(sceneAfter, emptyScene);
  const others = talk.captions.flatMap(({ turn, text, cutFrom }) =>
    known.has(turn) ? [] : cueFromNotices(rendered, turn, text.slice(0, cutFrom)),
  );
  return [...rendered.cues, ...others].toSorted((one, other) => one.turn - other.turn);
}

/** An unfinished turn has no cue, but its caption notices have times. */
function cueFromNotices(rendered: RenderedTape, turn: number, text: string): readonly Cue[] {
  const heard: { readonly at: number; readonly characters: number }[] = [];
  for (const { at, name, payload } of rendered.notices)
    if (name === 'caption' && payload.turn === turn && payload.heard !== undefined)
      heard.push({ at, characters: payload.heard });
  const split = new CaptionWords();
  split.add(text);
  const words: CueWord[] = [];
  let start =
    rendered.turns.find((heardTurn) => heardTurn.turn === turn)?.from ?? heard[0]?.at ?? 0;
  for (const word of split.list) {
    const end = heard.find(({ characters }) => characters >= word.end)?.at;
    if (end === undefined) break;
    words.push({ text: word.text, start, end });
    start = end;
  }
  return words.length > 0 ? [{ turn, words }] : [];
}

/** Speaking time per unit of caption weight, in milliseconds; a Latin letter weighs 1. */
const msPerWeight = 65;

/** Captions for talks without a tape: turns have start times, and words get an average speaking rate. */
export function cuesFromRecord(record: TalkRecord | undefined): readonly Cue[] {
  const answers = record?.turns.filter(({ by }) => by === 'parley') ?? [];
  return answers.flatMap(({ at, text, cutFrom }, index) => {
    const split = new CaptionWords();
    split.add(text.slice(0, cutFrom));
    const all = split.list.reduce((sum, { weight }) => sum + weight, 0);
    // The answer ended before the next one began.
    const maxMs = (answers[index + 1]?.at ?? Infinity) - at;
    const each = Math.min(msPerWeight, maxMs / Math.max(1, all));
    let start = at;
    const words = split.list.map(({ text: word, weight }) => {
      const from = start;
      start += weight * each;
      return { text: word, start: from, end: start };
    });
    return words.length > 0 ? [{ turn: index + 1, words }] : [];
  });
}
