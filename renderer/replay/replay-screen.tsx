import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../store/use-app-context.ts';
import '../talk/talk-screen.css';
import '../talk/stage.css';
import '../talk/dock.css';
import '../talk/capture/capture.css';
import { OpenReplayBody } from './open-replay-body.tsx';
import { ReplayFailed } from './replay-failed.tsx';
import { ReplayHeader } from './replay-header.tsx';
import { TalkGoesOn } from './replay-notes.tsx';
import './replay.css';

/** A tape that is played again: the Talk screen as it was then, and below it the whole of the talk. */
export function ReplayScreen() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const kind = useUiState(({ replay }) => replay.kind);
  // Whoever goes elsewhere comes back to it as it was left.
  useEffect(
    () => () => {
      void replay.pause();
    },
    [replay],
  );
  if (kind === 'none') return <main />;
  return (
    <main className="talk replay" aria-label={t('replay.name')}>
      <ReplayHeader />
      <TalkGoesOn />
      {kind === 'opening' && (
        <p className="replay-opening" role="status">
          {t('replay.opening')}
        </p>
      )}
      {kind === 'failed' && <ReplayFailed />}
      {kind === 'open' && <OpenReplayBody />}
    </main>
  );
}
