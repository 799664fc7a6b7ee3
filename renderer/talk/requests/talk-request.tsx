import { useTranslation } from 'react-i18next';
import type { TalkRequest } from '../../../shared/tools/talk-request.ts';
import { useActions } from '../../app/use-app-context.ts';
import { AnswerText } from '../../chat/turns/answer-text.tsx';
import { Button } from '../../design/button.tsx';
import { errorText } from '../../i18n/error-text.ts';
import { SpokenBy } from '../captions/user-transcript-text.tsx';
import '../../markdown/markdown.css';
import './talk-request.css';

/** A request of the user in a talk: their words, the calls of tools, and the answer. */
export function TalkRequestView({ request }: { readonly request: TalkRequest }) {
  const { t } = useTranslation();
  const { decideTalkCall, stopTalkRequest } = useActions();
  const { words, state, answer, voice, error } = request;
  const isRunning = state === 'writing' || state === 'answering';
  const isAsking = answer?.calls?.some((call) => call.state === 'asking') === true;
  // Without words, the model of the talk makes the call by itself.
  const isByModel = words === '' && state !== 'writing';
  const name = t(isByModel ? 'talk.requests.byModel' : 'talk.requests.asked');
  return (
    <section className="talk-request" aria-label={name} aria-busy={isRunning}>
      <SpokenBy name={name} transcribed={undefined} />
      {words !== '' && (
        <p className="talk-request-words" dir="auto">
          {words}
        </p>
      )}
      {answer !== undefined && (
        <AnswerText
          turn={answer}
          heard={undefined}
          onDecide={(call, decision) => void decideTalkCall(call, decision)}
          within="talk"
        />
      )}
      {error !== undefined && (
        <p className="talk-request-error" dir="auto">
          {errorText(t, error)}
        </p>
      )}
      {state === 'stopped' && <p className="hint">{t('chat.states.stopped')}</p>}
      {voice !== 'no' && <p className="hint">{t(`talk.requests.${voice}`)}</p>}
      {isRunning && (
        <div className="talk-request-running">
          <p className="hint">
            {isAsking ? '' : t(state === 'writing' ? 'talk.own.writing' : 'talk.requests.working')}
          </p>
          <Button kind="quiet" onClick={() => void stopTalkRequest()}>
            {t('buttons.stop')}
          </Button>
        </div>
      )}
    </section>
  );
}
