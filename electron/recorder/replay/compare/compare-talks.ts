import type { TalkMeasures, TapeComparison } from '../../../../shared/compare/tape-comparison.ts';
import { byOrder, pairSpeech } from './pair-speech.ts';
import type { SpeechPair } from './pair-speech.ts';
import { sameWords } from './same-words.ts';
import type { MeasuredTalk } from './measure-talk.ts';

/** Two talks side by side: what was answered to the same thing stands together, whatever else was answered. */
export function compareTalks(first: MeasuredTalk, second: MeasuredTalk): TapeComparison {
  const [one, other] = [first.measures, second.measures];
  const answers = pairsOf(first, second).flatMap(([left, right]) => {
    const [before, after] = [one.answers[left ?? -1], other.answers[right ?? -1]];
    if (before === undefined && after === undefined) return [];
    const same = sameWords(before?.text ?? '', after?.text ?? '');
    return [{ one: before, other: after, sameWords: same }];
  });
  const [before, after] = [one.latencyMs?.p95 ?? 0, other.latencyMs?.p95 ?? 0];
  const latencyRatio = before > 0 && after > 0 ? after / before : undefined;
  return { one, other, answers, sameWords: sameWords(allOf(one), allOf(other)), latencyRatio };
}

/** Numbers of answers. Who was never heard to speak, on either tape, can only be compared by the order of the answers. */
function pairsOf(first: MeasuredTalk, second: MeasuredTalk): readonly SpeechPair[] {
  const [one, other] = [first.measures.answers, second.measures.answers];
  if (first.speech.length === 0 || second.speech.length === 0)
    return byOrder(one.length, other.length);
  const unasked: SpeechPair = [first.answerTo.get(undefined), second.answerTo.get(undefined)];
  const asked = pairSpeech(first.speech, second.speech).map(([left, right]): SpeechPair => [
    left === undefined ? undefined : first.answerTo.get(left),
    right === undefined ? undefined : second.answerTo.get(right),
  ]);
  return [unasked, ...asked];
}

function allOf({ answers }: TalkMeasures): string {
  return answers.map(({ text }) => text).join(' ');
}
