import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { runningRequest } from '../../app/ui-state.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { IconButton } from '../../design/button.tsx';
import { TypingForm } from '../typing-form.tsx';
import { TalkRequestView } from './talk-request.tsx';

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
