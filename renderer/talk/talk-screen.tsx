import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { runningRequest } from '../app/ui-state.ts';
import { useUiState } from '../app/use-app-context.ts';
import { CaptionLiveRegion } from './captions/caption-live-region.tsx';
import { CameraTile } from './capture/camera-tile.tsx';
import { CropSheet } from './capture/crop-sheet.tsx';
import { ShareSheet } from './capture/share-sheet.tsx';
import { Dock } from './dock.tsx';
import { SessionBar } from './session-bar.tsx';
import { Stage } from './stage.tsx';
import { useTalkKeys } from './talk-keys.ts';
import { TalkNotes } from './talk-notes.tsx';
import { VoiceWaveform } from './voice-waveform.tsx';
import './talk-screen.css';
import './stage.css';
import './dock.css';
import './capture/capture.css';

/** Loaded on demand: few users type during a talk, and typed answers need the Markdown renderer. */
const TypedWords = lazy(async () => {
  const { TypedWords } = await import('./typed-words.tsx');
  return { default: TypedWords };
});

const RequestPanel = lazy(async () => {
  const { RequestPanel } = await import('./requests/request-panel.tsx');
  return { default: RequestPanel };
});

export function TalkScreen() {
  const { t } = useTranslation();
  useTalkKeys();
  const isTyping = useUiState(
    ({ typing, talkState }) => typing.open && talkState.value.phase === 'live',
  );
  const hasRequest = useUiState(
    (state) => runningRequest(state) !== undefined || state.writesRequest,
  );
  return (
    <main className="talk" aria-label={t('places.talk')}>
      <SessionBar />
      <div className="stage">
        <Stage />
        <CameraTile />
      </div>
      <CaptionLiveRegion />
      <TalkNotes />
      {isTyping && (
        <Suspense fallback={null}>
          <TypedWords />
        </Suspense>
      )}
      {hasRequest && (
        <Suspense fallback={null}>
          <RequestPanel />
        </Suspense>
      )}
      <VoiceWaveform />
      <Dock />
      <ShareSheet />
      <CropSheet />
    </main>
  );
}
