import { useTranslation } from 'react-i18next';
import { runningState } from '../app/ui-state.ts';
import { useUiState } from '../app/use-app-context.ts';
import { CaptureMark } from './session-bar.tsx';

/** The talk's state at a glance, for small windows: its phase, who speaks, and what Parley sees. */
export function TalkStateLine() {
  const { t } = useTranslation();
  const { phase } = useUiState(runningState);
  const { paused, muted } = useUiState(({ controls }) => controls);
  const floor = useUiState(({ floor }) => floor);
  const live = phase === 'live';
  return (
    <p className="session-state talk-state-line" data-phase={phase} data-paused={paused}>
      <span role="status">{live && paused ? t('talk.paused') : t(`talk.phases.${phase}`)}</span>
      {live && !paused && (
        <span className="session-floor">
          {muted ? t('talk.mutedShort') : t(`talk.floors.${floor}`)}
        </span>
      )}
      <CaptureMark />
    </p>
  );
}
