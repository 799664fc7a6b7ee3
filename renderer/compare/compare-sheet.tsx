import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { ComparableTape } from '../../shared/recordings/tape-comparison.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button } from '../design/button.tsx';
import { Picker } from '../design/fields.tsx';
import { ProgressBar } from '../design/progress-bar.tsx';
import { Sheet, SheetHeader } from '../design/sheet.tsx';
import { errorText } from '../i18n/error-text.ts';
import { serverName, tapedServerName } from '../i18n/server-name.ts';
import { clockTime, recordedText } from '../i18n/time-text.ts';
import { CompareResult } from './compare-result.tsx';
import type { CompareStep, CompareUiState } from './compare-store.ts';
import './compare.css';

/** With what a talk is compared; then how far that is, and how they differ. */
export function CompareSheet() {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const shown = useUiState(({ comparing }) => comparing);
  if (shown === undefined) return null;
  const { step } = shown;
  return (
    <Sheet
      name={t('compare.name', { title: shown.title })}
      open
      wide={step.kind === 'compared'}
      setOpen={(open) => {
        if (!open) comparing.close();
      }}
    >
      <div className="sheet-page">
        <SheetHeader title={t('compare.title')} close={comparing.close} />
        {/* What is long is scrolled by the keys of whoever has no mouse. */}
        <div
          className="sheet-body compare"
          role="region"
          aria-label={t('compare.title')}
          tabIndex={step.kind === 'compared' ? 0 : undefined}
        >
          <p className="compare-what" dir="auto">
            {shown.title}
          </p>
          {step.kind === 'choosing' && <CompareChoice shown={shown} error={step.error} />}
          {step.kind === 'running' && <RerunProgressBar step={step} />}
          {step.kind === 'comparing' && <p role="status">{t('compare.comparing')}</p>}
          {step.kind === 'compared' && <CompareResult compared={step.compared} />}
        </div>
        {step.kind === 'compared' && (
          <footer className="sheet-foot">
            <Button onClick={() => void comparing.again()}>{t('compare.again')}</Button>
            <Button kind="strong" onClick={comparing.close}>
              {t('compare.done')}
            </Button>
          </footer>
        )}
      </div>
    </Sheet>
  );
}

interface Props {
  readonly shown: CompareUiState;
  readonly error: AppError | undefined;
}

/** With another recording, or with what a server answers now. */
function CompareChoice({ shown, error }: Props) {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const { tapes, other } = shown;
  return (
    <>
      {error !== undefined && (
        <p className="compare-problem" role="alert" dir="auto">
          {errorText(t, error)}
        </p>
      )}
      {tapes === undefined && error === undefined && <p role="status">{t('compare.looking')}</p>}
      {tapes !== undefined && (
        <section className="compare-way">
          <Others tapes={tapes} other={other} />
          <div className="confirm-buttons">
            <Button
              kind="strong"
              disabled={other === undefined}
              onClick={() => void comparing.compare()}
            >
              {t('compare.compare')}
            </Button>
          </div>
        </section>
      )}
      <ServerAgain server={shown.server} />
    </>
  );
}

function Others({
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
      {tapes.map((one) => (
        <label key={one.tape} className="compare-other">
          <input
            type="radio"
            name={id}
            checked={one.tape === other}
            onChange={() => {
              comparing.choose(one.tape);
            }}
          />
          <span>
            <span className="compare-other-name">
              {recordedText(one.recordedAt, i18n.language) ?? one.tape}
            </span>
            <span className="compare-hint" dir="auto">
              {[t(`talk.modes.${one.mode}`), tapedServerName(t, one.server)].join(' · ')}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ServerAgain({ server }: { readonly server: string | undefined }) {
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
    <section className="compare-way" aria-labelledby={id}>
      <h3 id={id}>{t('compare.server')}</h3>
      <p className="compare-hint">{t('compare.serverHint')}</p>
      <div className="compare-server">
        <Picker
          value={chosen}
          choices={names}
          called={t('compare.server')}
          labelledBy={id}
          choose={comparing.chooseServer}
        />
        <Button onClick={() => void comparing.rerun(chosen)}>{t('compare.ask')}</Button>
      </div>
    </section>
  );
}

interface RerunProgressBarProps {
  readonly step: Extract<CompareStep, { readonly kind: 'running' }>;
}

/** How much of the talk has been said again, and the way to give it up. */
function RerunProgressBar({ step: { progress, stopping } }: RerunProgressBarProps) {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const { phase = 'connecting', doneMs = 0, ofMs = 0 } = progress ?? {};
  const part = ofMs === 0 ? 0 : doneMs / ofMs;
  const done = { done: clockTime(doneMs / 1000), of: clockTime(ofMs / 1000) };
  return (
    <>
      {/* The state is told as it changes; the seconds are for the eye. */}
      <p role="status">{t(stopping ? 'compare.stopping' : `compare.phases.${phase}`)}</p>
      {phase === 'live' && <p className="compare-hint">{t('compare.said', done)}</p>}
      <ProgressBar label={t('compare.progress')} part={part} />
      <div className="confirm-buttons">
        <Button disabled={stopping} onClick={() => void comparing.stop()}>
          {t('compare.stop')}
        </Button>
      </div>
    </>
  );
}
