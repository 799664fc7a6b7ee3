import { useTranslation } from 'react-i18next';
import type { ComparedAnswer, MeasuredAnswer } from '../../shared/compare/tape-comparison.ts';
import { msText } from './ms-text.ts';
import { clockTime } from '../talk/use-countdown.ts';

interface Props {
  readonly answers: readonly ComparedAnswer[];
}

/** What both answered to the same thing, side by side; where there is no room, one below the other. */
export function ComparedAnswers({ answers }: Props) {
  const { t } = useTranslation();
  if (answers.length === 0) return <p>{t('compare.silent')}</p>;
  return (
    <ol className="compare-answers" aria-label={t('compare.answers')}>
      {answers.map((pair) => (
        <AnswerPair key={`${pair.one?.at ?? ''} ${pair.other?.at ?? ''}`} pair={pair} />
      ))}
    </ol>
  );
}

function AnswerPair({ pair: { one, other, sameWords } }: { readonly pair: ComparedAnswer }) {
  const { t, i18n } = useTranslation();
  const until = (one ?? other)?.spokeUntil;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(sameWords);
  return (
    <li>
      <h3>
        {until === undefined
          ? t('compare.unasked')
          : t('compare.toSaid', { time: clockTime(until / 1000) })}
        {one !== undefined && other !== undefined && (
          <span className="compare-hint">{t('compare.same', { percent })}</span>
        )}
      </h3>
      <div className="compare-pair">
        <OneAnswer answer={one} by={t('compare.one')} />
        <OneAnswer answer={other} by={t('compare.other')} />
      </div>
    </li>
  );
}

function OneAnswer({
  answer,
  by,
}: {
  readonly answer: MeasuredAnswer | undefined;
  readonly by: string;
}) {
  const { t, i18n } = useTranslation();
  const after = answer?.latencyMs;
  const facts = [
    by,
    ...(after === undefined ? [] : [t('compare.after', { ms: msText(after, i18n.language) })]),
    ...(answer?.cut === true ? [t('compare.cut')] : []),
  ];
  return (
    <div className="compare-answer" data-missing={answer === undefined}>
      <p className="compare-hint">{facts.join(' · ')}</p>
      <p dir="auto">{answer === undefined ? t('compare.noAnswer') : answer.text}</p>
    </div>
  );
}
