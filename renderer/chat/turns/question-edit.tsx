import { useId } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { isSendKey } from '../composer/send-key.ts';

/** A sent message being written anew. */
export function QuestionEdit({ turn }: { readonly turn: string }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const text = useUiState(({ chat }) => chat.edits[turn] ?? '');
  const hint = useId();
  const cancel = (): void => {
    chat.setEdit(turn, undefined);
  };
  const send = (): void => {
    void chat.sendEdit(turn);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isSendKey(event)) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      // It is done by this: nothing is interrupted by it as well.
      event.preventDefault();
      cancel();
    }
  };
  return (
    <div className="question-edit">
      <textarea
        ref={focusAtEnd}
        aria-label={t('chat.edit.name')}
        aria-describedby={hint}
        dir="auto"
        rows={2}
        value={text}
        onChange={({ target }) => {
          chat.setEdit(turn, target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <p id={hint}>{t('chat.edit.hint')}</p>
      <div className="question-edit-actions">
        <Button kind="quiet" onClick={cancel}>
          {t('chat.edit.cancel')}
        </Button>
        <Button kind="strong" onClick={send}>
          {t('chat.edit.send')}
        </Button>
      </div>
    </div>
  );
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
