import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { CameraTile } from './capture/camera-tile.tsx';
import { CaptionLiveRegion } from './captions/caption-live-region.tsx';
import { CropSheet } from './capture/crop-sheet.tsx';
import { Dock } from './dock.tsx';
import { Stage } from './stage.tsx';
import { TalkNotes } from './talk-notes.tsx';
import { VoiceWaveform } from './waveform/voice-waveform.tsx';
import { SessionBar } from './session-bar.tsx';
import { ShareSheet } from './capture/share-sheet.tsx';
import './talk-screen.css';
import './stage.css';
import './dock.css';
import './capture/capture.css';
import './capture/capture-options.css';
import './capture/share.css';
import { useUiState } from '../store/use-app-context.ts';
import { useTalkKeys } from './use-talk-keys.ts';

/** Few type while they talk, and what they are answered has all the forms of a written answer. */
const TypedWords = lazy(async () => {
  const { TypedWords } = await import('./typing/typed-words.tsx');
  return { default: TypedWords };
});

/** The heart of Parley: a quiet stage with two voices on it. */
export function TalkScreen() {
  const { t } = useTranslation();
  useTalkKeys();
  const types = useUiState(
    ({ typing, talkState }) => typing.open && talkState.value.phase === 'live',
  );
  return (
    <main className="talk" aria-label={t('talk.title')}>
      <SessionBar />
      <div className="stage">
        <Stage />
        <CameraTile />
      </div>
      <CaptionLiveRegion />
      <TalkNotes />
      {types && (
        <Suspense fallback={null}>
          <TypedWords />
        </Suspense>
      )}
      <VoiceWaveform />
      <Dock />
      <ShareSheet />
      <CropSheet />
    </main>
  );
}
