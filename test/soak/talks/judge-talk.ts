import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { TalkMeasurements } from './open-talk.ts';

export interface TalkLimits {
  readonly gapMs: number;
  /** Sound that was due but did not arrive. */
  readonly missingSeconds: number;
  readonly heard: number;
}

const defaultLimits: TalkLimits = { gapMs: 1300, missingSeconds: 1.3, heard: 0.99 };

export interface TalkVerdict {
  /** Cells of the verdict's row, by the heading of their column. */
  readonly cells: Readonly<Record<string, string>>;
  readonly broken: readonly string[];
}

/** Compares a talk with its limits. Gaps and lost sound count without the machine's share. */
export function judgeTalk(
  { server, appends, answers, unanswered, card }: TalkMeasurements,
  /** The share of a plain player's continuous tone that was lost. */
  plainLost: number,
  limits: TalkLimits = defaultLimits,
): TalkVerdict {
  const gaps = appends.slice(1).map(({ at, waitedMs }, index) => {
    const from = appends[index]?.at ?? at;
    const stalledMs = Math.max(waitedMs, card.longestMs(from, at));
    return { at, ms: at - from, stalledMs, ownMs: at - from - stalledMs };
  });
  const longest = gaps.toSorted((one, other) => other.ms - one.ms)[0];
  const over = gaps.filter(({ ms }) => ms > limits.gapMs);
  const [first, last] = [appends[0], appends.at(-1)];
  const seconds = ((last?.at ?? 0) - (first?.at ?? 0)) / 1000;
  const got = sum(appends.slice(1).map(({ samples }) => samples)) / inputRate;
  const sentMs = sum(answers.map(({ sentMs: ms }) => ms));
  const silentMs = sum(answers.flatMap(({ gapsMs }) => gapsMs));
  const shortMs = sum(answers.map((answer) => Math.max(0, answer.sentMs - answer.heardMs)));
  const lost = (silentMs + shortMs) / sentMs;
  const broken = [
    ...over
      .filter(({ ownMs }) => ownMs > limits.gapMs)
      .map(
        ({ ms, stalledMs }) =>
          `a gap of ${ms.toFixed(0)} ms (the machine: ${stalledMs.toFixed(0)})`,
      ),
    ...(seconds - got > limits.missingSeconds ? [`${(seconds - got).toFixed(1)} s not sent`] : []),
    ...(unanswered > 0 || answers.length === 0 ? [`${unanswered} questions not answered`] : []),
    // NaN if there was no answer, which is reported above.
    ...(lost - plainLost > 1 - limits.heard ? [`${percent(lost)} of answers lost`] : []),
  ];
  const excused = over.length - over.filter(({ ownMs }) => ownMs > limits.gapMs).length;
  return {
    cells: {
      server,
      appends: `${appends.length}, ${got.toFixed(0)} s in ${seconds.toFixed(1)} s`,
      'longest gap': `${(longest?.ms ?? 0).toFixed(0)} ms (at ${(((longest?.at ?? 0) - (first?.at ?? 0)) / 1000).toFixed(0)} s)`,
      'of it the machine': `${(longest?.stalledMs ?? 0).toFixed(0)} ms`,
      'gaps excused': String(excused),
      answers: `${answers.length}, ${unanswered} not`,
      heard: percent(1 - lost),
      'plain tone': percent(1 - plainLost),
      verdict: broken.length === 0 ? 'kept' : `BROKEN: ${broken.join('; ')}`,
    },
    broken,
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;
