import { useTranslation } from 'react-i18next';
import { useView } from '../store/use-desk.ts';
import { CameraTile } from './camera-tile.tsx';
import { CaptionLog } from './caption-log.tsx';
import { CaptionRoll } from './caption-roll.tsx';
import { CropSheet } from './crop-sheet.tsx';
import { Dock } from './dock.tsx';
import { EndedCard } from './ended-card.tsx';
import { Notes } from './notes.tsx';
import { Ribbon } from './ribbon.tsx';
import { SessionBar } from './session-bar.tsx';
import { ShareSheet } from './share-sheet.tsx';
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
import './eye.css';
import './eye-options.css';
import './share.css';
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
      <CaptionLog />
      <Notes />
      <Ribbon />
      <Dock />
      <ShareSheet />
      <CropSheet />
    </main>
  );
}

function Stage() {
  const state = useView(({ state }) => state.value);
  const said = useView(({ captions }) => captions.length > 0);
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
      return said ? <Conversation /> : <EndingCard />;
    case 'ended':
      return (
        <>
          {said && <CaptionRoll />}
          <EndedCard state={state} />
        </>
      );
    case 'live':
      return said ? <Conversation /> : <Silence />;
  }
}

function Conversation() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="only-heard">{t('talk.title')}</h1>
      <CaptionRoll />
    </>
  );
}

function Silence() {
  const { t } = useTranslation();
  return <h1 className="stage-quiet">{t('talk.captions.none')}</h1>;
}
