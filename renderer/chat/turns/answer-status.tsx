import { useTranslation } from 'react-i18next';
import type { ChatAnswerState as State } from '../../../shared/chat/chat-thread.ts';
import { errorText } from '../../parts/error-text.ts';
import { useUiState } from '../../store/use-app-context.ts';
import { clockTime } from '../../talk/use-countdown.ts';

interface Props {
  readonly state: State;
  readonly empty: boolean;
}

/** What becomes of an answer, where that is not plain to see. */
export function AnswerStatus({ state, empty }: Props) {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'streaming':
      return empty ? <Waiting /> : null;
    case 'done':
      return state.cutShort ? <p className="answer-state">{t('chat.states.cutShort')}</p> : null;
    case 'stopped':
      return <p className="answer-state">{t('chat.states.stopped')}</p>;
    case 'failed':
      return (
        <p className="answer-state" data-kind="bad" dir="auto">
          {errorText(t, state.error)}
        </p>
      );
  }
}

function Waiting() {
  const { t } = useTranslation();
  const { phase, position, etaSeconds } = useUiState(({ chat }) => chat.line);
  const text = (): string => {
    if (phase !== 'queued' || position === undefined) return t(`chat.phases.${phase}`);
    return etaSeconds === undefined
      ? t('chat.phases.place', { position })
      : t('chat.phases.eta', { position, time: clockTime(Math.round(etaSeconds)) });
  };
  return <p className="answer-waiting">{text()}</p>;
}
