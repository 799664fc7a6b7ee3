import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../shared/chat/chat-thread.ts';
import { endOfSentences } from '../../shared/sentences.ts';
import { useActions, useAppContext, useUiState } from '../app/use-app-context.ts';
import { Note } from '../design/note.tsx';
import { errorText } from '../i18n/error-text.ts';
import { type ChatNote, chatNoteKey } from './chat-ui-state.ts';

/** What went wrong, or has to be known, above the message that is being written. */
export function ChatNotes() {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { chat } = useActions();
  const notes = useUiState(({ chat }) => chat.notes);
  const shortened = useUiState(({ chat }) => chat.sent?.shortened);
  return (
    <div className="chat-notes" role="status">
      {shortened !== undefined && (
        <p className="note">
          {t('chat.shortened', {
            characters: number.format(shortened.characters),
            first: number.format(shortened.first),
            last: number.format(shortened.last),
          })}
        </p>
      )}
      {notes.map((note) => (
        <Note
          key={chatNoteKey(note)}
          kind="bad"
          dismiss={() => {
            chat.dismissNote(note);
          }}
        >
          {textOf(note, t)}
        </Note>
      ))}
    </div>
  );
}

function textOf(note: ChatNote, t: TFunction): string {
  switch (note.kind) {
    case 'said':
      return named(t, note.name, errorText(t, note.error));
    case 'pictureTooLarge':
    case 'soundTooLarge':
      return t(`chat.notes.${note.kind}`, { name: note.name, size: note.size, most: note.most });
    case 'unreadable':
      return t('chat.notes.unreadable', { name: note.name });
    case 'tooMany':
      return t('chat.notes.tooMany', { most: note.most });
    case 'tooLong':
    case 'clipStopped':
    case 'notCopied':
      return t(`chat.notes.${note.kind}`);
  }
}

function named(t: TFunction, name: string | undefined, text: string): string {
  return name === undefined ? text : t('shell.under', { what: name, which: text });
}

/** For those who listen: that an answer comes, and the answer, each once and never piece by piece. */
export function ChatLiveRegion() {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const [said, setSaid] = useState('');
  useEffect(() => {
    let before = store.getState().chat.conversation?.turns.at(-1);
    return store.subscribe(() => {
      const { conversation, options } = store.getState().chat;
      const last = conversation?.turns.at(-1);
      if (last === before) return;
      const change = changeOf(before, last);
      before = last;
      if (change === undefined) return;
      // An answer that is spoken is not read by the screen reader as well.
      if (change.kind === 'done') setSaid(options.speech ? '' : answerExcerpt(change.text));
      else setSaid(t(`chat.told.${change.kind}`));
    });
  }, [store, t]);
  return (
    <p className="only-heard" aria-live="polite" data-log="chat">
      {said}
    </p>
  );
}

type News =
  | { readonly kind: 'answering' | 'stopped' | 'failed' }
  | { readonly kind: 'done'; readonly text: string };

function changeOf(before: Turn | undefined, last: Turn | undefined): News | undefined {
  if (last?.role !== 'assistant') return undefined;
  const { kind } = last.state;
  const same = before?.id === last.id && before.role === 'assistant';
  if (kind === 'streaming') return same ? undefined : { kind: 'answering' };
  if (!same || before.state.kind === kind) return undefined;
  return kind === 'done' ? { kind, text: last.text } : { kind };
}

/** About a minute of reading aloud; the rest can be read where it stands. */
const maxLength = 600;

/** An answer, or the first sentences of a long one. */
export function answerExcerpt(text: string): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, maxLength);
  return head.slice(0, endOfSentences(head) || maxLength);
}
