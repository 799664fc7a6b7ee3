import { ArrowUp, MessageSquare, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../shared/chat/chat-thread.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { AnswerStatus } from '../chat/turns/answer-turn.tsx';
import { IconButton } from '../design/button.tsx';
import { handleSubmit } from '../design/fields.tsx';
import { errorText } from '../i18n/error-text.ts';
import { Markdown, useMarkdownActions } from '../markdown/markdown.tsx';
import './typed-words.css';

export function TypedWords() {
  const { t } = useTranslation();
  const { typing, go } = useActions();
  const { chat, error } = useUiState(({ typing }) => typing);
  const incognito = useUiState(({ storage }) => storage.talk.kind === 'incognito');
  const turns = useUiState(({ chat: { conversation } }) =>
    conversation !== undefined && conversation.id === chat ? conversation.turns : undefined,
  );
  return (
    <section className="typing" aria-label={t('talk.typing.name')}>
      {turns !== undefined && turns.length > 0 && (
        <div className="typing-turns" role="log" tabIndex={0} aria-label={t('chat.turns')}>
          {turns.slice(-2).map((turn) => (
            <TypedTurn key={turn.id} turn={turn} />
          ))}
        </div>
      )}
      {error !== undefined && (
        <p className="typing-error" role="alert" dir="auto">
          {errorText(t, error)}
        </p>
      )}
      <TypingForm
        label={t('talk.typing.name')}
        placeholder={t('chat.composer.placeholder')}
        maxLength={10_000}
        onSend={typing.send}
      />
      <p className="hint">{t(incognito ? 'talk.typing.incognito' : 'talk.typing.hint')}</p>
      <div className="typing-close">
        {turns !== undefined && turns.length > 0 && (
          <IconButton
            icon={MessageSquare}
            label={t('talk.typing.inChat')}
            onClick={() => go('chat')}
          />
        )}
        <IconButton icon={X} label={t('talk.typing.close')} onClick={() => typing.setOpen(false)} />
      </div>
    </section>
  );
}

function TypedTurn({ turn }: { readonly turn: Turn }) {
  const actions = useMarkdownActions();
  if (turn.role === 'user') {
    const text = turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
    return (
      <p className="typing-question" dir="auto">
        {text}
      </p>
    );
  }
  return (
    <div className="typing-answer" dir="auto">
      {turn.text !== '' && <Markdown text={turn.text} actions={actions} />}
      <AnswerStatus state={turn.state} empty={turn.text === ''} />
    </div>
  );
}

interface TypingFormProps {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** Resolves true if the text was accepted; the field is then emptied. */
  readonly onSend: (text: string) => Promise<boolean>;
}

/** A line that the user writes during a talk. */
export function TypingForm({ label, placeholder, maxLength, onSend }: TypingFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const submit = async (): Promise<void> => {
    if (sending || text.trim() === '') return;
    setSending(true);
    if (await onSend(text.trim())) setText('');
    setSending(false);
  };
  return (
    <form className="typing-form" onSubmit={handleSubmit(submit)}>
      <label htmlFor={id} className="only-heard">
        {label}
      </label>
      <input
        id={id}
        type="text"
        className="text-field"
        dir="auto"
        autoFocus
        autoComplete="off"
        maxLength={maxLength}
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <IconButton
        icon={ArrowUp}
        label={t('buttons.send')}
        type="submit"
        aria-disabled={text.trim() === '' || sending}
      />
    </form>
  );
}
