import { useTranslation } from 'react-i18next';
import { isTalkOver } from '../../shared/talk/talk-view.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { runningTask, runningState } from '../app/ui-state.ts';
import { ToolCallView } from '../chat/turns/tool-call.tsx';
import { TalkStateLine } from './session-bar.tsx';
import { EndButton, InterruptButton, MuteButton } from './talk-buttons.tsx';

/** The running talk in the small window over other programs. While that window is open, the mini window is hidden. */
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

/** Asks whether a tool may run during the talk; for windows that show little of the talk. */
export function RequestQuestion() {
  const { decideTalkCall } = useActions();
  const call = useUiState((state) =>
    runningTask(state)?.answer?.calls?.find((each) => each.state === 'asking'),
  );
  if (call === undefined) return null;
  return (
    <div className="talk-question">
      <ToolCallView
        key={call.id}
        call={call}
        onDecide={(decision) => void decideTalkCall(call.id, decision)}
        within="talk"
      />
    </div>
  );
}
