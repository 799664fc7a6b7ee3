import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserTurn } from '../../shared/chat/conversation.ts';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { BranchPager } from './branch-pager.tsx';
import { ClipPart } from './clip-part.tsx';
import { CopyButton } from './copy-button.tsx';
import { PicturePart } from './picture-part.tsx';
import { QuestionEdit } from './question-edit.tsx';
import { RemoveTurn } from './remove-turn.tsx';
import { textOf } from './text-of.ts';
import { WrittenText } from './written-text.tsx';

interface Props {
  readonly turn: UserTurn;
  readonly index: number;
}

/** What the person wrote and showed. */
export function QuestionTurn({ turn, index }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const editing = useView(({ chat }) => chat.edits[turn.id] !== undefined);
  const [removing, setRemoving] = useState(false);
  const text = textOf(turn.parts);
  return (
    <article className="question" aria-label={t('chat.you')}>
      <div className="question-body">
        {turn.parts.map((part) => {
          if (part.type === 'image') return <PicturePart key={part.media} media={part.media} />;
          if (part.type === 'text') return null;
          return <ClipPart key={part.media} media={part.media} seconds={part.seconds} />;
        })}
        {editing ? <QuestionEdit turn={turn.id} /> : text !== '' && <WrittenText text={text} />}
      </div>
      {!editing && (
        <div className="turn-tools">
          <BranchPager index={index} />
          {text !== '' && <CopyButton text={text} />}
          <IconButton
            icon={Pencil}
            label={t('chat.doings.edit')}
            onClick={() => {
              chat.setEdit(turn.id, text);
            }}
          />
          <IconButton
            icon={Trash2}
            label={t('chat.doings.remove')}
            onClick={() => {
              setRemoving(true);
            }}
          />
        </div>
      )}
      <RemoveTurn turn={turn.id} open={removing} setOpen={setRemoving} />
    </article>
  );
}
