import { Tooltip } from 'radix-ui';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CaptionLiveRegion } from '../talk/captions/caption-live-region.tsx';
import { VoiceWaveform } from '../talk/waveform/voice-waveform.tsx';
import { useTalkKeys } from '../talk/use-talk-keys.ts';
import { PlaceBoundary } from '../shell/recovery/place-boundary.tsx';
import { RecoveryNotice } from '../shell/recovery/recovery-notice.tsx';
import { useAppearance } from '../shell/appearance/use-appearance.ts';
import { useActions } from '../store/use-app-context.ts';
import { MiniDock } from './mini-dock.tsx';
import { MiniHeader } from './mini-header.tsx';
import { MiniStage } from './mini-stage.tsx';
import './mini.css';

/** A talk in a small window that stays on top of others. */
export function MiniWindow() {
  const { t } = useTranslation();
  const { readWindows } = useActions();
  useAppearance();
  useTalkKeys();
  useCloseKey();
  useEffect(() => {
    void readWindows();
  }, [readWindows]);
  return (
    <Tooltip.Provider delayDuration={400}>
      <main className="mini" aria-label={t('mini.title')}>
        <h1 className="only-heard">{t('mini.title')}</h1>
        <MiniHeader />
        <PlaceBoundary>
          <RecoveryNotice />
          <MiniStage />
          <CaptionLiveRegion />
          <VoiceWaveform />
          <MiniDock />
        </PlaceBoundary>
      </main>
    </Tooltip.Provider>
  );
}

/** As other windows close; a window without a frame has no menu to do it by. */
function useCloseKey(): void {
  const { closeMini } = useActions();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'w' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!event.repeat) void closeMini();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [closeMini]);
}
