import { RotateCcw, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AssistantTurn } from '../../../shared/chat/chat-thread.ts';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { AnswerStatsLine } from './answer-stats-line.tsx';
import { AnswerStatus } from './answer-status.tsx';
import { BranchPager } from './branch-pager.tsx';
import { CopyButton } from './copy-button.tsx';
import { PlayButton } from './play-button.tsx';
import { useMarkdownActions } from './use-markdown-actions.ts';
import { useRemoveTurn } from './use-remove-turn.ts';

interface Props {
  readonly turn: AssistantTurn;
  readonly index: number;
}

/** What Parley wrote, with the caption cursor on it while it is read aloud. */
export function AnswerTurn({ turn, index }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const { id, text, state } = turn;
  const heard = useUiState(({ chat: { speaking } }) =>
    speaking?.turn === id ? speaking.heard : undefined,
  );
  const last = useUiState(({ chat }) => chat.conversation?.turns.at(-1)?.id === id);
  // Figures are for who looks into how it works.
  const inspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  const actions = useMarkdownActions();
  const removeTurn = useRemoveTurn();
  const streaming = state.kind === 'streaming';
  return (
    <article className="answer" aria-label={t('chat.parley')} aria-busy={streaming}>
      {text !== '' && <Markdown text={text} actions={actions} heard={heard} />}
      <AnswerStatus state={state} empty={text === ''} />
      {last && hasMore(turn) && (
        <div className="answer-go-on">
          <Button onClick={() => void chat.goOn(id)}>{t('chat.actions.goOn')}</Button>
        </div>
      )}
      <div className="turn-tools">
        <PlayButton turn={turn} />
        {text !== '' && !streaming && <CopyButton text={text} />}
        {!streaming && (
          <>
            <IconButton
              icon={RotateCcw}
              label={t('chat.actions.again')}
              onClick={() => void chat.retry(id)}
            />
            <IconButton
              icon={Trash2}
              label={t('chat.actions.remove')}
              onClick={() => {
                removeTurn(turn);
              }}
            />
          </>
        )}
        <BranchPager index={index} />
        {inspecting && state.kind === 'done' && turn.stats !== undefined && (
          <AnswerStatsLine stats={turn.stats} />
        )}
      </div>
    </article>
  );
}

/** It stopped before it was whole, and there is something to go on from. */
function hasMore({ text, state }: AssistantTurn): boolean {
  if (text === '') return false;
  return state.kind === 'done' ? state.cutShort : state.kind !== 'streaming';
}
