import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AssistantTurn } from '../../shared/chat/conversation.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { AnswerFacts } from './answer-facts.tsx';
import { AnswerState } from './answer-state.tsx';
import { BranchPager } from './branch-pager.tsx';
import { CopyButton } from './copy-button.tsx';
import { PlayButton } from './play-button.tsx';
import { RemoveTurn } from './remove-turn.tsx';
import { useMarkdownDoings } from './use-markdown-doings.ts';

interface Props {
  readonly turn: AssistantTurn;
  readonly index: number;
}

/** What Parley wrote, with the caption cursor on it while it is read aloud. */
export function AnswerTurn({ turn, index }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const { id, text, state } = turn;
  const heard = useView(({ chat: { speaking } }) =>
    speaking?.turn === id ? speaking.heard : undefined,
  );
  const doings = useMarkdownDoings();
  const [removing, setRemoving] = useState(false);
  const streaming = state.kind === 'streaming';
  return (
    <article className="answer" aria-label={t('chat.parley')} aria-busy={streaming}>
      {text !== '' && <Markdown text={text} doings={doings} heard={heard} />}
      <AnswerState state={state} empty={text === ''} />
      <div className="turn-tools">
        <PlayButton turn={turn} />
        {text !== '' && !streaming && <CopyButton text={text} />}
        {!streaming && (
          <>
            <IconButton
              icon={RotateCcw}
              label={t('chat.doings.again')}
              onClick={() => void chat.retry(id)}
            />
            <IconButton
              icon={Trash2}
              label={t('chat.doings.remove')}
              onClick={() => {
                setRemoving(true);
              }}
            />
          </>
        )}
        <BranchPager index={index} />
        {state.kind === 'done' && turn.stats !== undefined && <AnswerFacts stats={turn.stats} />}
      </div>
      <RemoveTurn turn={id} open={removing} setOpen={setRemoving} />
    </article>
  );
}
