import { MessageSquare, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../shared/chat/chat-thread.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { AnswerStatus } from '../chat/turns/answer-turn.tsx';
import { IconButton } from '../design/button.tsx';
import { errorText } from '../i18n/error-text.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { useMarkdownActions } from '../markdown/use-markdown-actions.ts';
import { TypingForm } from './typing-form.tsx';
import '../markdown/markdown.css';

export function TypedWords() {
  const { t } = useTranslation();
  const { typing, go } = useActions();
  const { chat, error } = useUiState(({ typing }) => typing);
  const incognito = useUiState(({ keeping }) => keeping.talk.kind === 'incognito');
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
