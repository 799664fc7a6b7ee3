import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AssistantTurn, Turn, UserTurn } from '../../shared/chat/chat-thread.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { isAnswerBehindTalk } from '../app/ui-state.ts';
import { AnswerStatus, AnswerText, isWaitingForModel } from '../chat/turns/answer-turn.tsx';
import { PastPassages } from '../memory/past-passages.tsx';
import { useActionName } from './action-icons.ts';

const noTurns: readonly Turn[] = [];
/** The view follows the answer while it is scrolled to within this distance of the end. */
const endMarginPx = 40;

export function QuickTurns() {
  const turns = useUiState(({ chat }) => chat.conversation?.turns ?? noTurns);
  const area = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const view = area.current;
    if (view !== null && follows.current && turns.length > 0) view.scrollTop = view.scrollHeight;
  }, [turns]);
  // In a window with little height, the answer is below the controls.
  const count = turns.length;
  useEffect(() => {
    if (count > 0) area.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  return (
    <div
      ref={area}
      className="cursor-turns scroll-area"
      // Focusable, so that the keyboard can scroll a long answer.
      tabIndex={0}
      role="log"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < endMarginPx;
      }}
    >
      {turns.map((turn, index) =>
        turn.role === 'user' ? (
          <Question key={turn.id} turn={turn} isNewest={index === turns.length - 2} />
        ) : (
          <Answer key={turn.id} turn={turn} />
        ),
      )}
    </div>
  );
}

/** The user's words. One label stands for all texts sent along with them, one for all pictures. */
function Question({ turn, isNewest }: { readonly turn: UserTurn; readonly isNewest: boolean }) {
  const { t } = useTranslation();
  const { quick } = useActions();
  const nameOf = useActionName();
  const action = useUiState(({ quick, settings }) =>
    isNewest ? settings?.cursor.actions.find(({ id }) => id === quick.action) : undefined,
  );
  const last = turn.parts.at(-1);
  const words = last?.type === 'text' ? last.text : '';
  const pictures = turn.parts.filter(({ type }) => type === 'image').length;
  const texts = turn.parts.length - 1 - pictures;
  const things = [
    ...(texts > 0 ? [t('cursor.offer.selection')] : []),
    ...(pictures > 0 ? [t('cursor.picture')] : []),
  ];
  return (
    <>
      <p className="cursor-question clamped" dir="auto">
        <span className="visually-hidden">{t('cursor.you')}</span>
        {action === undefined ? words : nameOf(action)}
        {things.length > 0 && (
          <small className="hint">{t('cursor.withMaterial', { things: things.join(', ') })}</small>
        )}
      </p>
      {turn.past !== undefined && (
        <PastPassages
          passages={turn.past}
          onRemove={(passage) => void quick.forgetPassage(turn.id, passage)}
        />
      )}
    </>
  );
}

function Answer({ turn }: { readonly turn: AssistantTurn }) {
  const { t } = useTranslation();
  const { quick } = useActions();
  const heard = useUiState(({ chat: { speaking } }) =>
    speaking?.turn === turn.id ? speaking.heard : undefined,
  );
  const isWaitingForTalk = useUiState(isAnswerBehindTalk);
  const { state } = turn;
  const isEmpty = isWaitingForModel(turn);
  return (
    <article
      className="answer"
      aria-label={t('chat.parley')}
      aria-busy={state.kind === 'streaming'}
    >
      <AnswerText
        turn={turn}
        heard={heard}
        onDecide={(call, decision) => void quick.decideCall(call, decision)}
      />
      {isWaitingForTalk && isEmpty ? (
        <p className="answer-waiting">{t('cursor.talkWaits')}</p>
      ) : (
        <AnswerStatus state={state} empty={isEmpty} />
      )}
    </article>
  );
}
