import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  ComparableTape,
  ComparedAnswer,
  ComparedTapes,
  MeasuredAnswer,
  TalkMeasures,
} from '../../shared/recordings/tape-comparison.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button } from '../design/controls.tsx';
import { Picker, Sheet, SheetHeader } from '../design/layers.tsx';
import { ProgressBar } from '../design/progress-bar.tsx';
import {
  errorText,
  serverName,
  tapeServerName,
  formatClock,
  formatDuration,
  formatMilliseconds,
  formatRecordedAt,
} from '../i18n/format.ts';
import type { CompareStep, CompareUiState } from './compare-store.ts';
import './compare.css';

export function CompareSheet() {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const sheet = useUiState(({ comparing }) => comparing);
  if (sheet === undefined) return null;
  const { step } = sheet;
  return (
    <Sheet
      name={t('compare.name', { title: sheet.title })}
      open
      wide={step.kind === 'compared'}
      onClose={comparing.close}
    >
      <div className="sheet-page">
        <SheetHeader title={t('compare.title')} onClose={comparing.close} />
        {/* Focusable, so that a long result can be scrolled by keyboard. */}
        <div
          className="sheet-body compare"
          role="region"
          aria-label={t('compare.title')}
          tabIndex={step.kind === 'compared' ? 0 : undefined}
        >
          <p className="sheet-subject" dir="auto">
            {sheet.title}
          </p>
          {step.kind === 'choosing' && <CompareChoice sheet={sheet} error={step.error} />}
          {step.kind === 'running' && <RerunProgressBar step={step} />}
          {step.kind === 'comparing' && <p role="status">{t('compare.comparing')}</p>}
          {step.kind === 'compared' && <CompareResult compared={step.compared} />}
        </div>
        {step.kind === 'compared' && (
          <footer className="sheet-foot">
            <Button onClick={() => void comparing.again()}>{t('compare.again')}</Button>
            <Button kind="strong" onClick={comparing.close}>
              {t('buttons.done')}
            </Button>
          </footer>
        )}
      </div>
    </Sheet>
  );
}

interface Props {
  readonly sheet: CompareUiState;
  readonly error: AppError | undefined;
}

function CompareChoice({ sheet, error }: Props) {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const { tapes, other } = sheet;
  return (
    <>
      {error !== undefined && (
        <p className="compare-problem" role="alert" dir="auto">
          {errorText(t, error)}
        </p>
      )}
      {tapes === undefined && error === undefined && <p role="status">{t('compare.looking')}</p>}
      {tapes !== undefined && (
        <section className="compare-option">
          <RecordingChoice tapes={tapes} other={other} />
          <div className="confirm-buttons button-row">
            <Button
              kind="strong"
              disabled={other === undefined}
              onClick={() => void comparing.compare()}
            >
              {t('compare.title')}
            </Button>
          </div>
        </section>
      )}
      <ServerChoice server={sheet.server} />
    </>
  );
}

function RecordingChoice({
  tapes,
  other,
}: {
  readonly tapes: readonly ComparableTape[];
  readonly other: string | undefined;
}) {
  const { t, i18n } = useTranslation();
  const { comparing } = useActions();
  const id = useId();
  return (
    <fieldset className="compare-others">
      <legend>{t('compare.others')}</legend>
      {tapes.length === 0 && <p>{t('compare.none')}</p>}
      {tapes.map((recording) => (
        <label key={recording.tape} className="radio-label">
          <input
            type="radio"
            name={id}
            checked={recording.tape === other}
            onChange={() => comparing.choose(recording.tape)}
          />
          <span>
            <span>{formatRecordedAt(recording.recordedAt, i18n.language) ?? recording.tape}</span>
            <span className="compare-hint hint" dir="auto">
              {[t(`talk.modes.${recording.mode}`), tapeServerName(t, recording.server)].join(' · ')}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ServerChoice({ server }: { readonly server: string | undefined }) {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const id = useId();
  const endpoints = useUiState(({ settings }) => settings?.endpoints);
  if (endpoints === undefined) return null;
  const chosen = server ?? endpoints.chosen;
  const names = Object.fromEntries(
    endpoints.list.map((profile) => [profile.id, serverName(t, profile.name)]),
  );
  return (
    <section className="compare-option" aria-labelledby={id}>
      <h3 id={id}>{t('compare.server')}</h3>
      <p className="compare-hint hint">{t('compare.serverHint')}</p>
      <div className="compare-server">
        <Picker
          value={chosen}
          choices={names}
          label={t('compare.server')}
          labelledBy={id}
          onChoose={comparing.chooseServer}
        />
        <Button onClick={() => void comparing.rerun(chosen)}>{t('compare.ask')}</Button>
      </div>
    </section>
  );
}

interface RerunProgressBarProps {
  readonly step: Extract<CompareStep, { readonly kind: 'running' }>;
}

function RerunProgressBar({ step: { progress, stopping } }: RerunProgressBarProps) {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const { phase = 'connecting', doneMs = 0, ofMs = 0 } = progress ?? {};
  const fraction = ofMs === 0 ? 0 : doneMs / ofMs;
  const done = { done: formatClock(doneMs / 1000), of: formatClock(ofMs / 1000) };
  return (
    <>
      {/* Screen readers hear the phase, but not the running seconds. */}
      <p role="status">{t(stopping ? 'compare.stopping' : `compare.phases.${phase}`)}</p>
      {phase === 'live' && <p className="compare-hint hint">{t('compare.said', done)}</p>}
      <ProgressBar label={t('compare.progress')} fraction={fraction} />
      <div className="confirm-buttons button-row">
        <Button disabled={stopping} onClick={() => void comparing.stop()}>
          {t('buttons.stop')}
        </Button>
      </div>
    </>
  );
}

interface CompareResultProps {
  readonly compared: ComparedTapes;
}

function CompareResult({ compared: { comparison, differs, incomplete } }: CompareResultProps) {
  const { t, i18n } = useTranslation();
  const { one, other, answers, sameWords } = comparison;
  const differences = new Intl.ListFormat(i18n.language, { style: 'narrow' }).format(
    differs.map((difference) => t(`compare.differences.${difference}`)),
  );
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(sameWords);
  return (
    <>
      <p className="compare-verdict" role="status" data-alike={differs.length === 0}>
        {differs.length === 0 ? t('compare.alike') : t('compare.differs', { what: differences })}
      </p>
      {incomplete && <p className="compare-hint hint">{t('compare.incomplete')}</p>}
      <p className="compare-hint hint">{t('compare.same', { percent })}</p>
      <MeasureTable one={one} other={other} />
      <ComparedAnswers answers={answers} />
    </>
  );
}

function MeasureTable({
  one,
  other,
}: {
  readonly one: TalkMeasures;
  readonly other: TalkMeasures;
}) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const delays = ({ latencyMs }: TalkMeasures): string =>
    latencyMs === undefined
      ? '–'
      : t('compare.delays', {
          p50: formatMilliseconds(latencyMs.p50, language),
          p95: formatMilliseconds(latencyMs.p95, language),
        });
  const reachedLimits = ({ limits }: TalkMeasures): string =>
    limits.length === 0 ? '–' : limits.map((limit) => t(`compare.limits.${limit}`)).join(' · ');
  const rows = [
    [t('compare.stats.answers'), (talk: TalkMeasures) => String(talk.answers.length)],
    [t('compare.stats.delay'), delays],
    [t('compare.stats.interruptions'), (talk: TalkMeasures) => String(talk.interruptions)],
    [t('compare.stats.reconnects'), (talk: TalkMeasures) => String(talk.reconnects)],
    [t('compare.stats.troubles'), (talk: TalkMeasures) => String(talk.troubles.length)],
    [t('compare.stats.limits'), reachedLimits],
    [
      t('compare.stats.length'),
      (talk: TalkMeasures) => formatDuration(talk.lengthMs / 1000, language),
    ],
  ] as const;
  return (
    <table className="compare-measures">
      <thead>
        <tr>
          <td />
          <TalkColumn talk={one} name={t('compare.one')} />
          <TalkColumn talk={other} name={t('compare.other')} />
        </tr>
      </thead>
      <tbody>
        {/* Rows where both talks have nothing are omitted. */}
        {rows
          .filter(([, format]) => [one, other].some((talk) => !/^[0–]$/u.test(format(talk))))
          .map(([name, format]) => (
            <tr key={name}>
              <th scope="row" className="hint">
                {name}
              </th>
              <td>{format(one)}</td>
              <td>{format(other)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function TalkColumn({ talk, name }: { readonly talk: TalkMeasures; readonly name: string }) {
  const { t, i18n } = useTranslation();
  return (
    <th scope="col">
      {name}
      <span className="compare-hint hint" dir="auto">
        {formatRecordedAt(talk.recordedAt, i18n.language)}
      </span>
      <span className="compare-hint hint" dir="auto">
        {tapeServerName(t, talk.server)}
      </span>
    </th>
  );
}

interface ComparedAnswersProps {
  readonly answers: readonly ComparedAnswer[];
}

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
          : t('compare.toSaid', { time: formatClock(until / 1000) })}
        {one !== undefined && other !== undefined && (
          <span className="compare-hint hint">{t('compare.same', { percent })}</span>
        )}
      </h3>
      <div className="compare-pair">
        <AnswerCell answer={one} by={t('compare.one')} />
        <AnswerCell answer={other} by={t('compare.other')} />
      </div>
    </li>
  );
}

function AnswerCell({
  answer,
  by,
}: {
  readonly answer: MeasuredAnswer | undefined;
  readonly by: string;
}) {
  const { t, i18n } = useTranslation();
  const latencyMs = answer?.latencyMs;
  const facts = [
    by,
    ...(latencyMs === undefined
      ? []
      : [t('compare.after', { ms: formatMilliseconds(latencyMs, i18n.language) })]),
    ...(answer?.cut === true ? [t('compare.cut')] : []),
  ];
  return (
    <div className="compare-answer" data-missing={answer === undefined}>
      <p className="compare-hint hint">{facts.join(' · ')}</p>
      <p dir="auto">{answer === undefined ? t('compare.noAnswer') : answer.text}</p>
    </div>
  );
}
