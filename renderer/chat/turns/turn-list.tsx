import { ArrowDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { BranchPager } from './branch-pager.tsx';
import { TurnItem } from './turn-item.tsx';
import { useStickToBottom } from './use-stick-to-bottom.ts';

/** So many turns are in the page at first; as many more each time one scrolls near their beginning. */
const stepOfTurns = 40;
const nearBeginning = 800;

export function TurnList() {
  const id = useUiState(({ chat }) => chat.conversation?.id);
  const count = useUiState(({ chat }) => chat.conversation?.turns.length ?? 0);
  // Another conversation begins at its own end.
  return count === 0 ? <Empty /> : <ScrollingTurns key={id} count={count} />;
}

/** The turns of one conversation, the newest at the bottom; an answer renders its own turn only. */
function ScrollingTurns({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const [hidden, setHidden] = useState(Math.max(0, count - stepOfTurns));
  const { chat } = useActions();
  const { scroller, content, away, toEnd, toPlace, scrolled } = useStickToBottom(count);
  const wanted = useUiState(({ chat: { conversation, wantedTurn } }) =>
    wantedTurn === undefined
      ? -1
      : (conversation?.turns.findIndex(({ id }) => id === wantedTurn) ?? -1),
  );
  const last = Math.max(0, count - stepOfTurns);
  if (wanted >= 0 && hidden > wanted) setHidden(wanted);
  const from = Math.min(hidden, last);
  useEffect(() => {
    if (wanted < 0) return;
    toPlace(wanted - from);
    chat.turnShown();
  }, [wanted, from, toPlace, chat]);

  return (
    <div className="turns">
      <div
        ref={scroller}
        className="turn-scroller"
        role="region"
        aria-label={t('chat.turns')}
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          scrolled();
          if (currentTarget.scrollTop < nearBeginning && from > 0) {
            setHidden(Math.max(0, from - stepOfTurns));
          }
        }}
      >
        <ol ref={content} className="turn-list">
          {Array.from({ length: count - from }, (_, place) => (
            <TurnItem key={from + place} index={from + place} />
          ))}
          <li className="turn-end">
            <BranchPager index={count} />
          </li>
        </ol>
      </div>
      {away && (
        <div className="turn-newest">
          <Button icon={<ArrowDown aria-hidden />} onClick={toEnd}>
            {t('chat.newest')}
          </Button>
        </div>
      )}
    </div>
  );
}

function Empty() {
  const { t } = useTranslation();
  return (
    <div className="chat-empty">
      <h2>{t('chat.empty.title')}</h2>
      <p>{t('chat.empty.text')}</p>
      <BranchPager index={0} />
    </div>
  );
}
