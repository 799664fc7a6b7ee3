import { errorText } from '../parts/error-text.ts';
import type { TFunction } from 'i18next';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { chatNoteKey } from '../store/chat/chat-ui-state.ts';
import type { ChatNote } from '../store/chat/chat-ui-state.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';

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
        <p className="chat-note">
          {t('chat.shortened', {
            characters: number.format(shortened.characters),
            first: number.format(shortened.first),
            last: number.format(shortened.last),
          })}
        </p>
      )}
      {notes.map((note) => (
        <div className="chat-note" data-kind="bad" key={chatNoteKey(note)}>
          <p dir="auto">{textOf(note, t)}</p>
          <IconButton
            icon={X}
            label={t('shell.dismiss')}
            onClick={() => {
              chat.dismissNote(note);
            }}
          />
        </div>
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
