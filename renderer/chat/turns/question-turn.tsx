import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { UserTurn, Part } from '../../../shared/chat/chat-thread.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { BranchPager } from './branch-pager.tsx';
import { ClipPart } from '../media/clip-part.tsx';
import { CopyButton } from './copy-button.tsx';
import { PicturePart } from '../media/picture-part.tsx';
import { QuestionEdit } from './question-edit.tsx';
import { QuestionText } from './question-text.tsx';
import { useRemoveTurn } from './use-remove-turn.ts';

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
