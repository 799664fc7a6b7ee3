import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { ProgressBar } from '../design/progress-bar.tsx';
import type { CompareStep } from '../store/compare/compare-ui-state.ts';
import { useActions } from '../store/use-app-context.ts';
import { clockTime } from '../talk/use-countdown.ts';

interface Props {
  readonly step: Extract<CompareStep, { readonly kind: 'running' }>;
}

/** How much of the talk has been said again, and the way to give it up. */
export function RerunProgressBar({ step: { progress, stopping } }: Props) {
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
