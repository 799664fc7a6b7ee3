import type {
  LatencyPercentiles,
  MeasuredAnswer,
  TalkMeasures,
  TapeComparison,
} from '../../../shared/recordings/tape-comparison.ts';
import {
  findSpeechSegments,
  levelPointMs,
  type RenderedTape,
  type SpeechSegment,
} from '../replay/rendered-tape.ts';
import type { Tape, TapeHeader } from '../tape/tape.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import { quantile } from '../../../shared/statistics.ts';

/** A talk's measures, with the speech that each answer follows. */
export interface MeasuredTalk {
  readonly measures: TalkMeasures;
  readonly speech: readonly SpeechSegment[];
  /**
   * The index of the answer by the index of the speech. An answer before any speech has the key undefined. In a talk
   * without speech, keys are negative.
   */
  readonly answerTo: ReadonlyMap<number | undefined, number>;
}

/** Levels are known per point, so speech may end this much before the end of its last point. */
const endToleranceMs = levelPointMs;
/** `heard` events come every 100 ms, so an answer may have begun this much before its first one. */
const lookBackMs = 150;
const audibleDb = -55;

/** Measures a rendered talk: what was heard and when. */
export function measureTalk(
  rendered: RenderedTape,
  { mode, endpoint, recordedAt }: Pick<TapeHeader, 'mode' | 'endpoint' | 'recordedAt'>,
): MeasuredTalk {
  const speech = findSpeechSegments(rendered);
  const { captions } = rendered.sceneAt(Infinity).talk;
  const answerTo = new Map<number | undefined, number>();
  const answers: MeasuredAnswer[] = [];
  for (const [index, { turn, to: end, cut }] of rendered.turns.entries()) {
    const from = findFirstSound(rendered, index, end);
    const last = speech.findLastIndex(({ to }) => to <= from + endToleranceMs);
    // If the user never speaks, each turn counts as a separate answer.
    const speechIndex = speech.length === 0 ? -1 - answers.length : last === -1 ? undefined : last;
    const text = captions.find((caption) => caption.turn === turn)?.text.trim() ?? '';
    const known = answerTo.get(speechIndex);
    const before = known === undefined ? undefined : answers[known];
    if (known !== undefined && before !== undefined) {
      answers[known] = { ...before, text: `${before.text} ${text}`.trim(), cut: cut || before.cut };
      continue;
    }
    answerTo.set(speechIndex, answers.length);
    const spokeUntil = speech[last]?.to;
    const latencyMs =
      spokeUntil === undefined ? undefined : Math.max(0, Math.round(from - spokeUntil));
    answers.push({ at: Math.round(from), text, spokeUntil, latencyMs, cut });
  }
  const count = (kind: string): number =>
    rendered.marks.filter((mark) => mark.kind === kind).length;
  return {
    speech,
    answerTo,
    measures: {
      mode,
      server: endpoint,
      recordedAt,
      lengthMs: Math.round(rendered.lengthMs),
      answers,
      latencyMs: toPercentiles(answers.flatMap(({ latencyMs }) => latencyMs ?? [])),
      interruptions: count('interruption'),
      reconnects: count('reconnect'),
      troubles: rendered.marks.flatMap(({ kind, error }) =>
        error !== undefined && kind !== 'ending' ? [error.code] : [],
      ),
      limits: listLimits(rendered),
      ending: rendered.marks.findLast(({ kind }) => kind === 'ending')?.error?.code,
    },
  };
}

/** When an answer became audible, by its level, because the playhead is recorded only every 100 ms. */
function findFirstSound({ turns, parleyLevels }: RenderedTape, index: number, end: number): number {
  const begun = turns[index]?.from ?? 0;
  const before = Math.max(begun - lookBackMs, turns[index - 1]?.to ?? 0, 0);
  for (let point = Math.ceil(before / levelPointMs); point * levelPointMs < end; point += 1)
    if (parleyLevels.levelDb(point) > audibleDb) return point * levelPointMs;
  return begun;
}

/** A limit can warn more than once but counts once. */
function listLimits({ notices }: RenderedTape): TalkMeasures['limits'] {
  const limits = notices.flatMap((notice) =>
    notice.name === 'talkWarning' ? [notice.payload.limit] : [],
  );
  return [...new Set(limits)];
}

export function toPercentiles(values: readonly number[]): LatencyPercentiles | undefined {
  if (values.length === 0) return undefined;
  return { p50: quantile(values, 0.5), p95: quantile(values, 0.95) };
}

interface Codecs {
  readonly ours: Pick<ServerCodec, 'decodeClientEvent'>;
  readonly server: Pick<ClientCodec, 'decodeServerEvent'>;
}

/** Measures a written conversation from its wire frames, because such tapes cannot be rendered. */
export function measureChat(
  { header, lines, frame }: Tape,
  { ours, server }: Codecs,
): MeasuredTalk {
  const answerTo = new Map<number | undefined, number>();
  const answers: MeasuredAnswer[] = [];
  const errorCodes: string[] = [];
  const questionTimes: number[] = [];
  for (const line of lines) {
    if (!('frame' in line)) continue;
    const text = JSON.stringify(frame(line.frame));
    if (line.dir === 'out') {
      if (ours.decodeClientEvent(text, 'unified').kind === 'chat') questionTimes.push(line.at);
      continue;
    }
    const event = server.decodeServerEvent(text);
    if (event.kind === 'error') errorCodes.push(event.code);
    const answerText = event.kind === 'output' || event.kind === 'done' ? (event.text ?? '') : '';
    const spokeUntil = questionTimes.at(-1);
    if (answerText === '' || spokeUntil === undefined) continue;
    const known = answers[answerTo.get(questionTimes.length - 1) ?? -1];
    if (known === undefined) {
      answerTo.set(questionTimes.length - 1, answers.length);
      const latencyMs = Math.round(line.at - spokeUntil);
      answers.push({ at: line.at, text: answerText, spokeUntil, latencyMs, cut: false });
    } else if (event.kind === 'output') {
      // A `done` event after output is ignored, because it repeats the whole text.
      answers[answers.length - 1] = { ...known, text: known.text + answerText };
    }
  }
  const { mode, endpoint: from, recordedAt } = header;
  return {
    // Written questions have no length. Equal lengths make the questions of two chats pair by order.
    speech: questionTimes.map((_, index) => ({ from: 1000 * index, to: 1000 * index + 500 })),
    answerTo,
    measures: {
      mode,
      server: from,
      recordedAt,
      lengthMs: Math.round(lines.at(-1)?.at ?? 0),
      answers,
      latencyMs: toPercentiles(answers.flatMap(({ latencyMs }) => latencyMs ?? [])),
      interruptions: 0,
      reconnects: 0,
      troubles: errorCodes,
      limits: [],
      ending: undefined,
    },
  };
}

/** Compares the answers, words and latency of two talks. */
export function compareTalks(first: MeasuredTalk, second: MeasuredTalk): TapeComparison {
  const [one, other] = [first.measures, second.measures];
  const answers = pairAnswers(first, second).flatMap(([left, right]) => {
    const [before, after] = [one.answers[left ?? -1], other.answers[right ?? -1]];
    if (before === undefined && after === undefined) return [];
    const overlap = wordOverlap(before?.text ?? '', after?.text ?? '');
    return [{ one: before, other: after, sameWords: overlap }];
  });
  const [before, after] = [one.latencyMs?.p95 ?? 0, other.latencyMs?.p95 ?? 0];
  const latencyRatio = before > 0 && after > 0 ? after / before : undefined;
  return {
    one,
    other,
    answers,
    sameWords: wordOverlap(joinAnswers(one), joinAnswers(other)),
    latencyRatio,
  };
}

/** Pairs answers by the speech that they follow, or by order if a talk has no speech. */
function pairAnswers(first: MeasuredTalk, second: MeasuredTalk): readonly SpeechPair[] {
  const [one, other] = [first.measures.answers, second.measures.answers];
  if (first.speech.length === 0 || second.speech.length === 0)
    return pairByOrder(one.length, other.length);
  const unasked: SpeechPair = [first.answerTo.get(undefined), second.answerTo.get(undefined)];
  const asked = pairSpeech(first.speech, second.speech).map(([left, right]): SpeechPair => [
    left === undefined ? undefined : first.answerTo.get(left),
    right === undefined ? undefined : second.answerTo.get(right),
  ]);
  return [unasked, ...asked];
}

function joinAnswers({ answers }: TalkMeasures): string {
  return answers.map(({ text }) => text).join(' ');
}

/** Indexes of two matching items; undefined on one side means no match. */
type SpeechPair = readonly [one: number | undefined, other: number | undefined];

/**
 * The length weighs more, because the same words last about as long when they are said again, and exactly as long in a
 * rerun.
 */
const lengthWeight = 0.6;
const offsetWeight = 0.4;
/** A larger distance costs no more, because the answers, and so the pauses, differ when a talk is repeated. */
const maxOffsetMs = 3000;
/** Two unpaired segments cost as much as the worst pair. */
const unpairedCost = 0.5;
/** Longer talks pair by order, because the table of costs grows quadratically. */
const maxSegments = 1000;

/** Pairs the speech of two talks in order, by length and time, with minimal total cost. */
export function pairSpeech(
  one: readonly SpeechSegment[],
  other: readonly SpeechSegment[],
): readonly SpeechPair[] {
  if (Math.max(one.length, other.length) > maxSegments)
    return pairByOrder(one.length, other.length);
  const costs = costTable(one, other);
  const pairs: SpeechPair[] = [];
  for (let [left, right] = [one.length, other.length]; left + right > 0;) {
    const cost = costAt(costs, left, right);
    if (left > 0 && cost === costAt(costs, left - 1, right) + unpairedCost) {
      left -= 1;
      pairs.push([left, undefined]);
    } else if (right > 0 && cost === costAt(costs, left, right - 1) + unpairedCost) {
      right -= 1;
      pairs.push([undefined, right]);
    } else {
      left -= 1;
      right -= 1;
      pairs.push([left, right]);
    }
  }
  return pairs.toReversed();
}

/** Minimal cost for each pair of prefixes. */
function costTable(one: readonly SpeechSegment[], other: readonly SpeechSegment[]) {
  const offset = typicalOffset(one, other);
  const costs: number[][] = [Array.from({ length: other.length + 1 }, (_, n) => n * unpairedCost)];
  for (const [n, left] of one.entries()) {
    const row = [(n + 1) * unpairedCost];
    for (const [m, right] of other.entries()) {
      const offsetErrorMs = Math.abs(left.from + offset - right.from);
      const paired = costAt(costs, n, m) + pairCost(left, right, offsetErrorMs);
      const unpaired = Math.min(costAt(costs, n, m + 1), row[m] ?? Infinity) + unpairedCost;
      row.push(paired <= unpaired ? paired - tieBreak : unpaired);
    }
    costs.push(row);
  }
  return costs;
}

const tieBreak = 1e-9;
const minSimilarity = 0.8;
const offsetStepMs = 200;

function pairCost(left: SpeechSegment, right: SpeechSegment, distanceMs: number): number {
  const length = 1 - lengthSimilarity(left, right);
  return lengthWeight * length + offsetWeight * Math.min(1, distanceMs / maxOffsetMs);
}

function lengthSimilarity(left: SpeechSegment, right: SpeechSegment): number {
  const [one, other] = [left.to - left.from, right.to - right.from];
  return Math.min(one, other) / Math.max(one, other, 1);
}

/** Most frequent offset between segments of similar length. */
function typicalOffset(one: readonly SpeechSegment[], other: readonly SpeechSegment[]): number {
  const counts = new Map<number, number>();
  for (const left of one)
    for (const right of other) {
      if (lengthSimilarity(left, right) < minSimilarity) continue;
      const step = Math.round((right.from - left.from) / offsetStepMs);
      for (const neighbor of [step - 1, step, step + 1])
        counts.set(neighbor, (counts.get(neighbor) ?? 0) + (neighbor === step ? 2 : 1));
    }
  const maxCount = Math.max(0, ...counts.values());
  return ([...counts].find(([, count]) => count === maxCount)?.[0] ?? 0) * offsetStepMs;
}

function costAt(costs: readonly (readonly number[])[], left: number, right: number): number {
  return costs[left]?.[right] ?? Infinity;
}

function pairByOrder(one: number, other: number): readonly SpeechPair[] {
  return Array.from({ length: Math.max(one, other) }, (_, n) => [
    n < one ? n : undefined,
    n < other ? n : undefined,
  ]);
}

const token = /\p{Script=Han}|[\p{L}\p{N}]+/gu;
/** Only the beginning of longer texts is compared, because the time grows quadratically. */
const maxTokens = 3000;

/** Share of equal words in equal order, from 0 to 1; two empty texts give 1. */
function wordOverlap(one: string, other: string): number {
  const [left, right] = [one, other].map((text) =>
    (text.toLowerCase().match(token) ?? []).slice(0, maxTokens),
  ) as [string[], string[]];
  if (left.length + right.length === 0) return 1;
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const word of left) {
    const next = [0];
    for (const [n, against] of right.entries())
      next.push(word === against ? (row[n] ?? 0) + 1 : Math.max(row[n + 1] ?? 0, next[n] ?? 0));
    row = next;
  }
  return (2 * (row.at(-1) ?? 0)) / (left.length + right.length);
}
