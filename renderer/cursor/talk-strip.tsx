import { useTranslation } from 'react-i18next';
import { isTalkOver } from '../../shared/talk/talk-state.ts';
import { runningState } from '../app/ui-state.ts';
import { useUiState } from '../app/use-app-context.ts';
import { EndButton, InterruptButton, MuteButton } from '../talk/talk-buttons.tsx';
import { RequestQuestion } from '../talk/requests/request-question.tsx';
import { TalkStateLine } from '../talk/talk-state-line.tsx';

/** The running talk, which the mini window shows while this window is closed. */
export function TalkStrip() {
  const { t } = useTranslation();
  const { phase } = useUiState(runningState);
  if (isTalkOver(phase)) return null;
  return (
    <>
      <section className="cursor-talk hint" aria-label={t('talk.controls')}>
        <TalkStateLine />
        <div className="cursor-talk-tools">
          {phase === 'live' && (
            <>
              <InterruptButton />
              <MuteButton />
            </>
          )}
          <EndButton />
        </div>
      </section>
      <RequestQuestion />
    </>
  );
}
