import { X, ArrowUp, MessageSquare } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../shared/chat/chat-thread.ts';
import type { ToolTask } from '../../shared/talk/talk-view.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { runningTask, type UiState } from '../app/ui-state.ts';
import { AnswerText, AnswerStatus } from '../chat/turns/answer-turn.tsx';
import { Button, IconButton, handleSubmit, textAfterSending } from '../design/controls.tsx';
import { errorText } from '../i18n/format.ts';
import { Markdown, useMarkdownActions } from '../markdown/markdown.tsx';
import { SpokenBy } from './captions/caption-text.tsx';
import './tool-task.css';

/** A task of a talk: the user's words, the calls of tools, and the answer. */
export function ToolTaskView({ task }: { readonly task: ToolTask }) {
  const { t } = useTranslation();
  const { decideTalkCall, stopTask } = useActions();
  const { words, state, answer, voice, error } = task;
  const isRunning = state === 'writing' || state === 'answering';
  const isAsking = answer?.calls?.some((call) => call.state === 'asking') === true;
  // A request without words is a call that the talk's model makes by itself.
  const isByModel = words === '' && state !== 'writing';
  const name = t(isByModel ? 'talk.tasks.byModel' : 'talk.tasks.asked');
  return (
    <section className="tool-task" aria-label={name} aria-busy={isRunning}>
      <SpokenBy name={name} transcribed={undefined} />
      {words !== '' && (
        <p className="tool-task-words" dir="auto">
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
        <p className="tool-task-error" dir="auto">
          {errorText(t, error)}
        </p>
      )}
      {state === 'stopped' && <p className="hint">{t('chat.states.stopped')}</p>}
      {voice !== 'no' && <p className="hint">{t(`talk.tasks.${voice}`)}</p>}
      {isRunning && (
        <div className="tool-task-running">
          <p className="hint">
            {isAsking ? '' : t(state === 'writing' ? 'talk.own.writing' : 'talk.tasks.working')}
          </p>
          <Button kind="quiet" onClick={() => void stopTask()}>
            {t('buttons.stop')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The running task, above the controls so that its question stays in sight; otherwise the field to write one. */
export function TaskPanel() {
  const task = useUiState(runningTask);
  const isWritten = useUiState(({ writesTask }) => writesTask);
  if (task !== undefined)
    return (
      <div className="task-panel">
        <ToolTaskView task={task} />
      </div>
    );
  return isWritten ? <TaskField /> : null;
}

function TaskField() {
  const { t } = useTranslation();
  const { askInTalk, writeTask } = useActions();
  return (
    <section className="typing" aria-label={t('talk.tasks.write')}>
      <TypingForm
        field="task"
        label={t('talk.tasks.write')}
        placeholder={t('talk.tasks.write')}
        maxLength={2000}
        onSend={askInTalk}
      />
      <div className="typing-close">
        <IconButton icon={X} label={t('talk.tasks.close')} onClick={() => writeTask(false)} />
      </div>
    </section>
  );
}

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
        field="message"
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
  readonly field: keyof UiState['typing']['unsent'];
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** Resolves true if the text was accepted; the field is then emptied, except for what was typed meanwhile. */
  readonly onSend: (text: string) => Promise<boolean>;
}

/** A line that the user writes during a talk. */
function TypingForm({ field, label, placeholder, maxLength, onSend }: TypingFormProps) {
  const { t } = useTranslation();
  const { typing } = useActions();
  const id = useId();
  const text = useUiState(({ typing }) => typing.unsent[field]);
  const [sending, setSending] = useState(false);
  const submit = async (): Promise<void> => {
    if (sending || text.trim() === '') return;
    setSending(true);
    if (await onSend(text.trim())) typing.write(field, (now) => textAfterSending(now, text));
    setSending(false);
  };
  return (
    <form className="typing-form" onSubmit={handleSubmit(submit)}>
      <label htmlFor={id} className="visually-hidden">
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
        onChange={({ target }) => typing.write(field, () => target.value)}
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
