import { Maximize2, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { CaptureMark } from '../talk/pill/capture-mark.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';

/** Where the talk stands and who speaks; what is not a button here is what the window is dragged by. */
export function MiniHeader() {
  const { t } = useTranslation();
  const { showMain, closeMini } = useActions();
  const phase = useUiState(({ talkState }) => talkState.value.phase);
  const paused = useUiState(({ controls }) => controls.paused);
  const muted = useUiState(({ controls }) => controls.muted);
  const floor = useUiState(({ floor }) => floor);
  const last = useUiState(({ windows }) => windows?.main === false && windows.stays !== true);
  const live = phase === 'live';
  const state = live && paused ? t('talk.paused') : t(`talk.phases.${phase}`);
  return (
    <div className="mini-head">
      <p className="session-state" data-phase={phase} data-paused={paused}>
        <span role="status">{state}</span>
        {live && !paused && (
          <span className="session-floor">
            {muted ? t('talk.mutedShort') : t(`talk.floors.${floor}`)}
          </span>
        )}
        <CaptureMark />
      </p>
      <div className="mini-tools">
        <IconButton icon={Maximize2} label={t('mini.expand')} onClick={() => void showMain()} />
        <IconButton
          icon={X}
          label={t(last ? 'mini.closeLast' : 'mini.close')}
          onClick={() => void closeMini()}
        />
      </div>
    </div>
  );
}
