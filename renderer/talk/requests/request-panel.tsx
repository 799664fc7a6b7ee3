import { ArrowUp, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { runningRequest } from '../../app/ui-state.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { IconButton } from '../../design/button.tsx';
import { TalkRequestView } from './talk-request.tsx';
import '../typed-words.css';

/** The request that runs now, above the controls so that its question stays in sight, and the field to write one. */
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
  const id = useId();
  const [text, setText] = useState('');
  const isEmpty = text.trim() === '';
  return (
    <section className="typing" aria-label={t('talk.requests.write')}>
      <form
        className="typing-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) void askInTalk(text.trim());
        }}
      >
        <label htmlFor={id} className="only-heard">
          {t('talk.requests.write')}
        </label>
        <input
          id={id}
          type="text"
          className="text-field"
          dir="auto"
          autoFocus
          autoComplete="off"
          maxLength={2000}
          placeholder={t('talk.requests.write')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <IconButton
          icon={ArrowUp}
          label={t('buttons.send')}
          type="submit"
          aria-disabled={isEmpty}
        />
      </form>
      <div className="typing-close">
        <IconButton icon={X} label={t('talk.requests.close')} onClick={() => writeRequest(false)} />
      </div>
    </section>
  );
}
