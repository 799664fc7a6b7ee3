import { useTranslation } from 'react-i18next';
import type {
  ComparedAnswer,
  ComparedTapes,
  MeasuredAnswer,
  TalkMeasures,
} from '../../shared/recordings/tape-comparison.ts';
import { tapedServerName } from '../i18n/server-name.ts';
import { clockTime, lengthText, msText, recordedText } from '../i18n/time-text.ts';

interface Props {
  readonly compared: ComparedTapes;
}

/** How two talks differ: in a sentence, in figures, answer by answer. */
export function CompareResult({ compared: { comparison, differs } }: Props) {
  const { t, i18n } = useTranslation();
  const { one, other, answers, sameWords } = comparison;
  const what = new Intl.ListFormat(i18n.language).format(
    differs.map((difference) => t(`compare.differences.${difference}`)),
  );
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(sameWords);
  return (
    <>
      <p className="compare-verdict" role="status" data-alike={differs.length === 0}>
        {differs.length === 0 ? t('compare.alike') : t('compare.differs', { what })}
      </p>
      <p className="compare-hint">{t('compare.same', { percent })}</p>
      <Figures one={one} other={other} />
      <ComparedAnswers answers={answers} />
    </>
  );
}

function Figures({ one, other }: { readonly one: TalkMeasures; readonly other: TalkMeasures }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const delays = ({ latencyMs }: TalkMeasures): string =>
    latencyMs === undefined
      ? '–'
      : t('compare.delays', {
          p50: msText(latencyMs.p50, language),
          p95: msText(latencyMs.p95, language),
        });
  const near = ({ limits }: TalkMeasures): string =>
    limits.length === 0 ? '–' : limits.map((limit) => t(`compare.limits.${limit}`)).join(' · ');
  const rows = [
    [t('compare.figures.answers'), (talk: TalkMeasures) => String(talk.answers.length)],
    [t('compare.figures.delay'), delays],
    [t('compare.figures.interruptions'), (talk: TalkMeasures) => String(talk.interruptions)],
    [t('compare.figures.reconnects'), (talk: TalkMeasures) => String(talk.reconnects)],
    [t('compare.figures.troubles'), (talk: TalkMeasures) => String(talk.troubles.length)],
    [t('compare.figures.limits'), near],
    [
      t('compare.figures.length'),
      (talk: TalkMeasures) => lengthText(talk.lengthMs / 1000, language),
    ],
  ] as const;
  return (
    <table className="compare-figures">
      <thead>
        <tr>
          <td />
          <Column talk={one} name={t('compare.one')} />
          <Column talk={other} name={t('compare.other')} />
        </tr>
      </thead>
      <tbody>
        {/* What neither has needs no line. */}
        {rows
          .filter(([, of]) => [one, other].some((talk) => !/^[0–]$/u.test(of(talk))))
          .map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{of(one)}</td>
              <td>{of(other)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function Column({ talk, name }: { readonly talk: TalkMeasures; readonly name: string }) {
  const { t, i18n } = useTranslation();
  return (
    <th scope="col">
      {name}
      <span className="compare-hint" dir="auto">
        {recordedText(talk.recordedAt, i18n.language)}
      </span>
      <span className="compare-hint" dir="auto">
        {tapedServerName(t, talk.server)}
      </span>
    </th>
  );
}

interface ComparedAnswersProps {
  readonly answers: readonly ComparedAnswer[];
}

/** What both answered to the same thing, side by side; where there is no room, one below the other. */
function ComparedAnswers({ answers }: ComparedAnswersProps) {
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
