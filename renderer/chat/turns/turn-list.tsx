import { ArrowDown, Pencil, Trash2 } from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Part, UserTurn } from '../../../shared/chat/chat-thread.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { isSendKey } from '../../design/edit-in-place.tsx';
import { ClipPart, PicturePart } from '../media-parts.tsx';
import { AnswerTurn } from './answer-turn.tsx';
import { BranchPager, CopyButton, useRemoveTurn } from './turn-tools.tsx';

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
        className="turn-scroller scroll-area"
        role="region"
        aria-label={t('chat.turns')}
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          scrolled();
          if (currentTarget.scrollTop < nearBeginning && from > 0)
            setHidden(Math.max(0, from - stepOfTurns));
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
        <div className="to-newest">
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

/** One turn by its place; rendered again when that turn is another one. */
const TurnItem = memo(function TurnItem({ index }: { readonly index: number }) {
  const { t } = useTranslation();
  const turn = useUiState(({ chat }) => chat.conversation?.turns[index]);
  const forgotten = useUiState(
    ({ chat: { sent } }) => sent !== undefined && sent.leftOut > 0 && sent.from === turn?.id,
  );
  const gone = useUiState(({ removed }) => removed?.keys.has(`turn ${turn?.id}`) === true);
  if (turn === undefined) return null;
  // Its place stays: what is looked for is found by its number.
  if (gone) return <li className="turn" hidden />;
  return (
    <li className="turn" data-role={turn.role}>
      {forgotten && <p className="turn-forgotten hint">{t('chat.forgotten')}</p>}
      {turn.role === 'user' ? (
        <QuestionTurn key={turn.id} turn={turn} index={index} />
      ) : (
        <AnswerTurn key={turn.id} turn={turn} index={index} />
      )}
    </li>
  );
});

/** So near to the end counts as the end. */
const edge = 48;

/**
 * Keeps the end of what grows in sight, until the person scrolls up. Only a way up counts as that: what
 * grows between two looks is no intent to stay behind.
 */
function useStickToBottom(count: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const [away, setAway] = useState(false);
  const top = useRef(0);
  const before = useRef(count);

  const toEnd = useCallback((): void => {
    setAway(false);
    const element = scroller.current;
    if (element === null) return;
    element.scrollTo({ top: element.scrollHeight, behavior: 'instant' });
    top.current = element.scrollTop;
  }, []);
  /** To one of what stands there, which is not the end. */
  const toPlace = useCallback((index: number): void => {
    const place = content.current?.children.item(index);
    const element = scroller.current;
    if (place === null || place === undefined || element === null) return;
    setAway(true);
    place.scrollIntoView({ block: 'start', behavior: 'instant' });
    top.current = element.scrollTop;
  }, []);
  const scrolled = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const rest = scrollHeight - scrollTop - clientHeight;
    if (rest <= edge) setAway(false);
    else if (scrollTop < top.current - 1) setAway(true);
    top.current = scrollTop;
  };

  useLayoutEffect(() => {
    // Whoever asks wants to see what becomes of it.
    if (!away || count > before.current) toEnd();
    before.current = count;
  }, [count, away, toEnd]);
  useEffect(() => {
    if (away || scroller.current === null) return undefined;
    const resized = new ResizeObserver(toEnd);
    resized.observe(scroller.current);
    if (content.current !== null) resized.observe(content.current);
    return () => resized.disconnect();
  }, [away, toEnd]);
  return { scroller, content, away, toEnd, toPlace, scrolled };
}

function QuestionTurn({ turn, index }: { readonly turn: UserTurn; readonly index: number }) {
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
            label={t('buttons.edit')}
            onClick={() => chat.setEdit(turn.id, text)}
          />
          <IconButton icon={Trash2} label={t('buttons.delete')} onClick={() => removeTurn(turn)} />
        </div>
      )}
    </article>
  );
}

function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A pasted book would bury the answer to it, and make the page slow. */
const maxShown = 3000;

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
        <Button kind="quiet" onClick={() => setWhole(true)}>
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

function QuestionEdit({ turn }: { readonly turn: string }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const text = useUiState(({ chat }) => chat.edits[turn] ?? '');
  const hint = useId();
  const cancel = (): void => chat.setEdit(turn, undefined);
  const send = (): void => void chat.sendEdit(turn);
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
        onChange={({ target }) => chat.setEdit(turn, target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={hint} className="hint">
        {t('chat.edit.hint')}
      </p>
      <div className="question-edit-actions">
        <Button kind="quiet" onClick={cancel}>
          {t('buttons.cancel')}
        </Button>
        <Button kind="strong" onClick={send}>
          {t('buttons.send')}
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
