import type {
  LatencyPercentiles,
  MeasuredAnswer,
  TalkMeasures,
} from '../../../shared/recordings/tape-comparison.ts';
import { quantile } from '../../talk/policies/robust-statistics.ts';
import {
  type RenderedTape,
  levelPointMs,
  type SpeechSegment,
  findSpeechSegments,
} from '../replay/rendered-tape.ts';
import type { TapeHeader } from '../tape/tape.ts';

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
