import { Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Part, UserTurn } from '../../../shared/chat/chat-thread.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { isSendKey } from '../../design/edit-in-place.tsx';
import { ClipPart, PicturePart } from '../media-parts.tsx';
import { BranchPager, CopyButton, useRemoveTurn } from './turn-tools.tsx';

interface Props {
  readonly turn: UserTurn;
  readonly index: number;
}

/** What the person wrote and showed. */
export function QuestionTurn({ turn, index }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const editing = useUiState(({ chat }) => chat.edits[turn.id] !== undefined);
  const removeTurn = useRemoveTurn();
  const text = textOfParts(turn.parts);
  return (
    <article className="question" aria-label={t('chat.you')}>
      <div className="question-body">
        {turn.parts.map((part) => {
          if (part.type === 'image') return <PicturePart key={part.media} media={part.media} />;
          if (part.type === 'text') return null;
          return <ClipPart key={part.media} media={part.media} seconds={part.seconds} />;
        })}
        {editing ? <QuestionEdit turn={turn.id} /> : text !== '' && <QuestionText text={text} />}
      </div>
      {!editing && (
        <div className="turn-tools">
          <BranchPager index={index} />
          {text !== '' && <CopyButton text={text} />}
          <IconButton
            icon={Pencil}
            label={t('chat.actions.edit')}
            onClick={() => {
              chat.setEdit(turn.id, text);
            }}
          />
          <IconButton
            icon={Trash2}
            label={t('chat.actions.remove')}
            onClick={() => {
              removeTurn(turn);
            }}
          />
        </div>
      )}
    </article>
  );
}

/** What of a message is words. */
function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A pasted book would bury the answer to it, and make the page slow. */
const maxShown = 3000;

/** A person's own words, as they wrote them. */
function QuestionText({ text }: { readonly text: string }) {
  const { t, i18n } = useTranslation();
  const [whole, setWhole] = useState(false);
  const long = text.length > maxShown && !whole;
  return (
    <>
      <p className="question-text" dir="auto">
        {long ? `${wholeLetters(text.slice(0, maxShown))}…` : text}
      </p>
      {long && (
        <Button
          kind="quiet"
          onClick={() => {
            setWhole(true);
          }}
        >
          {t('chat.whole', {
            characters: new Intl.NumberFormat(i18n.language).format(text.length),
          })}
        </Button>
      )}
    </>
  );
}

/** Without the first half of a letter that is made of two. */
function wholeLetters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/u, '');
}

/** A sent message being written anew. */
function QuestionEdit({ turn }: { readonly turn: string }) {
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
