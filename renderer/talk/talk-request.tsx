import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TalkRequest } from '../../shared/talk/talk-view.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { runningRequest } from '../app/ui-state.ts';
import { AnswerText } from '../chat/turns/answer-turn.tsx';
import { Button, IconButton } from '../design/button.tsx';
import { errorText } from '../i18n/error-text.ts';
import { SpokenBy } from './captions/caption-text.tsx';
import { TypingForm } from './typed-words.tsx';
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

/** The running request, above the controls so that its question stays in sight; otherwise the field to write one. */
export function RequestPanel() {
  const request = useUiState(runningRequest);
  const isWritten = useUiState(({ writesRequest }) => writesRequest);
  if (request !== undefined)
    return (
      <div className="request-panel">
        <TalkRequestView request={request} />
      </div>
    );
  return isWritten ? <RequestField /> : null;
}

function RequestField() {
  const { t } = useTranslation();
  const { askInTalk, writeRequest } = useActions();
  return (
    <section className="typing" aria-label={t('talk.requests.write')}>
      <TypingForm
        label={t('talk.requests.write')}
        placeholder={t('talk.requests.write')}
        maxLength={2000}
        onSend={askInTalk}
      />
      <div className="typing-close">
        <IconButton icon={X} label={t('talk.requests.close')} onClick={() => writeRequest(false)} />
      </div>
    </section>
  );
}
