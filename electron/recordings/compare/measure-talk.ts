import type {
  LatencyPercentiles,
  MeasuredAnswer,
  TalkMeasures,
} from '../../../shared/recordings/tape-comparison.ts';
import { quantile } from '../../talk/policies/robust-statistics.ts';
import {
  findSpeechSegments,
  levelPointMs,
  type RenderedTape,
  type SpeechSegment,
} from '../replay/rendered-tape.ts';
import type { Tape, TapeHeader } from '../tape/tape.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';

/** A talk's measures, with the speech each answer belongs to. */
export interface MeasuredTalk {
  readonly measures: TalkMeasures;
  readonly speech: readonly SpeechSegment[];
  /** Answer index by speech index; `undefined` is the key of unprompted answers. */
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
    const to = speech.length === 0 ? -1 - answers.length : last === -1 ? undefined : last;
    const text = captions.find((caption) => caption.turn === turn)?.text.trim() ?? '';
    const known = answerTo.get(to);
    const before = known === undefined ? undefined : answers[known];
    if (known !== undefined && before !== undefined) {
      answers[known] = { ...before, text: `${before.text} ${text}`.trim(), cut: cut || before.cut };
      continue;
    }
    answerTo.set(to, answers.length);
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

/** Each limit warns twice but counts once. */
function listLimits({ notices }: RenderedTape): TalkMeasures['limits'] {
  const limits = notices.flatMap((notice) =>
    notice.name === 'talkWarning' ? [notice.payload.limit] : [],
  );
  return [...new Set(limits)];
}

export function toPercentiles(values: readonly number[]): LatencyPercentiles | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const [p50, p95] = [quantile(sorted, 0.5), quantile(sorted, 0.95)];
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
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
      // A `done` event is ignored, because it repeats the whole text.
      answers[answers.length - 1] = { ...known, text: known.text + answerText };
    }
  }
  const { mode, endpoint: from, recordedAt } = header;
  return {
    // Written questions have no length; equal ones make two conversations pair by order.
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
