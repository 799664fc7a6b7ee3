import { useTranslation } from 'react-i18next';
import { useUiState } from '../store/use-app-context.ts';
import { CameraTile } from './capture/camera-tile.tsx';
import { CaptionLiveRegion } from './captions/caption-live-region.tsx';
import { CaptionList } from './captions/caption-list.tsx';
import { CropSheet } from './capture/crop-sheet.tsx';
import { Dock } from './dock.tsx';
import { EndedCard } from './ended-card.tsx';
import { TalkNotes } from './talk-notes.tsx';
import { VoiceWaveform } from './waveform/voice-waveform.tsx';
import { SessionBar } from './session-bar.tsx';
import { ShareSheet } from './capture/share-sheet.tsx';
import {
  ConnectingCard,
  EndingCard,
  IdleCard,
  QueueCard,
  ReconnectingCard,
} from './stage-cards.tsx';
import './talk-screen.css';
import './stage.css';
import './dock.css';
import './capture/capture.css';
import './capture/capture-options.css';
import './capture/share.css';
import { useTalkKeys } from './use-talk-keys.ts';

/** The heart of Parley: a quiet stage with two voices on it. */
export function TalkScreen() {
  const { t } = useTranslation();
  useTalkKeys();
  return (
    <main className="talk" aria-label={t('talk.title')}>
      <SessionBar />
      <div className="stage">
        <Stage />
        <CameraTile />
      </div>
      <CaptionLiveRegion />
      <TalkNotes />
      <VoiceWaveform />
      <Dock />
      <ShareSheet />
      <CropSheet />
    </main>
  );
}

function Stage() {
  const state = useUiState(({ talkState }) => talkState.value);
  const said = useUiState(({ captions }) => captions.length > 0);
  switch (state.phase) {
    case 'idle':
      return <IdleCard />;
    case 'connecting':
      return <ConnectingCard />;
    case 'queued':
      return <QueueCard state={state} />;
    case 'reconnecting':
      return <ReconnectingCard state={state} />;
    case 'ending':
      return said ? <CaptionStage /> : <EndingCard />;
    case 'ended':
      return (
        <>
          {said && <CaptionList />}
          <EndedCard state={state} />
        </>
      );
    case 'live':
      return said ? <CaptionStage /> : <Silence />;
  }
}

function CaptionStage() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="only-heard">{t('talk.title')}</h1>
      <CaptionList />
    </>
  );
}

function Silence() {
  const { t } = useTranslation();
  return <h1 className="stage-quiet">{t('talk.captions.none')}</h1>;
}
