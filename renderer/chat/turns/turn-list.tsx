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
import { useActions, useUiState } from '../../app/app-context.ts';
import {
  Button,
  focusFrom,
  focusIfLost,
  type FocusPlace,
  IconButton,
  isComposing,
  passFocusOn,
  passFocusToTurns,
  placeOf,
} from '../../design/controls.tsx';
import { fitText, focusEnd, isSendKey, refuseLongText } from '../../design/edit-in-place.tsx';
import { PastPassages } from '../../memory/past-passages.tsx';
import { ClipPart, PicturePart } from '../media-parts.tsx';
import { AnswerTurn } from './answer-turn.tsx';
import { BranchPager, CopyButton, useRemoveTurn } from './turn-tools.tsx';

/** Rendering a turn takes several milliseconds, so the list begins with the last turns and adds some per frame. */
const turnsPerFrame = 4;
const firstTurns = 8;
/**
 * In pixels. The list adds turns until it reaches this far above and below what is in sight. That is about 30 turns at the
 * 12rem that turns.css assumes for a turn that was never laid out.
 */
const aheadPx = 6000;

/** The rendered turns, by index; `until` is excluded, and infinite if new turns are rendered as well. */
interface RenderedTurns {
  readonly from: number;
  readonly until: number;
}

function newestTurns(count: number): RenderedTurns {
  return { from: Math.max(0, count - firstTurns), until: Infinity };
}

export function TurnList() {
  const id = useUiState(({ chat }) => chat.conversation?.id);
  const count = useUiState(({ chat }) => chat.conversation?.turns.length ?? 0);
  // The key resets the scroll position for another conversation.
  return count === 0 ? <EmptyChat /> : <ScrollingTurns key={id} count={count} />;
}

/** The turns of one conversation, newest last. A streaming answer re-renders only its own turn. */
function ScrollingTurns({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const [rendered, setRendered] = useState(() => newestTurns(count));
  const { chat } = useActions();
  const until = Math.min(rendered.until, count);
  const from = Math.min(rendered.from, newestTurns(until).from);
  const isEndRendered = until === count;
  const renderNewest = useCallback(() => {
    if (!isEndRendered) setRendered(newestTurns(count));
  }, [isEndRendered, count]);
  const { scroller, content, away, toEnd, toTurn, scrolled } = useStickToBottom({
    count,
    isEndRendered,
    renderNewest,
  });
  const render = (from: number, until: number): void =>
    setRendered({ from, until: until < count ? until : Infinity });
  const targetIndex = useUiState(({ chat: { conversation, targetTurn } }) =>
    targetTurn === undefined
      ? -1
      : (conversation?.turns.findIndex(({ id }) => id === targetTurn) ?? -1),
  );
  if (targetIndex >= 0 && (targetIndex < from || targetIndex >= until))
    render(targetIndex, targetIndex + firstTurns);
  const addTurns = (): void => {
    if (scroller.current === null) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    if (!isEndRendered && scrollHeight - scrollTop - clientHeight < aheadPx)
      render(from, until + turnsPerFrame);
    else if (from > 0 && scrollTop < aheadPx) render(Math.max(0, from - turnsPerFrame), until);
  };
  useEffect(() => {
    const frame = requestAnimationFrame(addTurns);
    return () => cancelAnimationFrame(frame);
  });
  /** Handles Home and End, for which the browser would scroll to an end of the rendered turns. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, target, currentTarget } = event;
    const isJump = (key === 'Home' || key === 'End') && !event.altKey && !event.shiftKey;
    if (!isJump || target !== currentTarget) return;
    event.preventDefault();
    if (key === 'Home') chat.showFirstTurn();
    else toEnd();
  };
  const renderedFrom = useRef(from);
  useLayoutEffect(() => {
    const added = renderedFrom.current - from;
    renderedFrom.current = from;
    // When turns are added above what is in sight, browsers keep the scroll position, except at the very start.
    if (added > 0 && away && scroller.current?.scrollTop === 0) toTurn(added);
  }, [from, away, scroller, toTurn]);
  useEffect(() => {
    if (targetIndex < 0) return;
    toTurn(targetIndex - from);
    chat.turnShown();
  }, [targetIndex, from, toTurn, chat]);

  return (
    <div className="turns">
      <div
        ref={scroller}
        className="turn-scroller scroll-area"
        role="region"
        aria-label={t('chat.turns')}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={() => {
          scrolled();
          addTurns();
        }}
      >
        <ol ref={content} className="turn-list">
          {Array.from({ length: until - from }, (_, offset) => (
            <TurnItem key={from + offset} index={from + offset} />
          ))}
          <li className="turn-end">
            <BranchPager index={count} />
          </li>
        </ol>
      </div>
      {away && (
        <div className="to-newest">
          <Button ref={passFocusToTurns} icon={<ArrowDown aria-hidden />} onClick={toEnd}>
            {t('chat.newest')}
          </Button>
        </div>
      )}
    </div>
  );
}

function EmptyChat() {
  const { t } = useTranslation();
  return (
    <div className="chat-empty">
      <h2>{t('chat.empty.title')}</h2>
      <p>{t('chat.empty.text')}</p>
      <BranchPager index={0} />
    </div>
  );
}

const TurnItem = memo(function TurnItem({ index }: { readonly index: number }) {
  const { t } = useTranslation();
  const turn = useUiState(({ chat }) => chat.conversation?.turns[index]);
  const forgotten = useUiState(
    ({ chat: { sent } }) => sent !== undefined && sent.leftOut > 0 && sent.from === turn?.id,
  );
  const isRemoved = useUiState(({ removed }) => removed?.keys.has(`turn ${turn?.id}`) === true);
  if (turn === undefined) return null;
  // The hidden item keeps its place, because turns are looked up by index.
  if (isRemoved) return <li className="turn" hidden />;
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

/** A scroll position this close to the end, in pixels, counts as the end. */
const endMarginPx = 48;

interface StickToBottomInput {
  readonly count: number;
  readonly isEndRendered: boolean;
  /** Renders the newest turns, if they are not. */
  readonly renderNewest: () => void;
}

/**
 * Follows the end until the user scrolls up. Growth of the content also increases the distance to the end, but does not
 * count as scrolling.
 */
function useStickToBottom({ count, isEndRendered, renderNewest }: StickToBottomInput) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const [hasLeft, setLeft] = useState(false);
  const away = hasLeft || !isEndRendered;
  const top = useRef(0);
  const before = useRef(count);

  const toEnd = useCallback((): void => {
    renderNewest();
    setLeft(false);
    const element = scroller.current;
    if (element === null) return;
    element.scrollTo({ top: element.scrollHeight, behavior: 'instant' });
    top.current = element.scrollTop;
  }, [renderNewest]);
  const toTurn = useCallback((index: number): void => {
    let turn = content.current?.children.item(index);
    // One cannot scroll to a removed message, which is hidden while its removal can be undone.
    while (turn?.matches('[hidden]') === true) turn = turn.nextElementSibling;
    const element = scroller.current;
    if (turn === null || turn === undefined || element === null) return;
    setLeft(true);
    turn.scrollIntoView({ block: 'start', behavior: 'instant' });
    top.current = element.scrollTop;
  }, []);
  const scrolled = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const distance = scrollHeight - scrollTop - clientHeight;
    if (distance <= endMarginPx && isEndRendered) setLeft(false);
    else if (scrollTop < top.current - 1) setLeft(true);
    top.current = scrollTop;
  };

  useLayoutEffect(() => {
    // A new turn always scrolls to the end, even if the user had scrolled up.
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
  return { scroller, content, away, toEnd, toTurn, scrolled };
}

function QuestionTurn({ turn, index }: { readonly turn: UserTurn; readonly index: number }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const editing = useUiState(({ chat }) => chat.edits[turn.id] !== undefined);
  const removeTurn = useRemoveTurn();
  const text = textOfParts(turn.parts);
  // The user's words come last, after the texts that they are about.
  const texts = turn.parts.filter(({ type }) => type === 'text');
  const own = textOfParts(texts.slice(-1));
  const quoted = textOfParts(texts.slice(0, -1));
  return (
    <article className="question" aria-label={t('chat.you')}>
      <div className="question-body">
        {turn.parts.map((part) => {
          if (part.type === 'image') return <PicturePart key={part.media} media={part.media} />;
          if (part.type === 'text') return null;
          return <ClipPart key={part.media} media={part.media} seconds={part.seconds} />;
        })}
        {!editing && quoted !== '' && <QuestionText text={quoted} isOwn={false} />}
        {editing ? (
          <QuestionEdit turn={turn.id} />
        ) : (
          own !== '' && <QuestionText text={own} isOwn />
        )}
      </div>
      {turn.past !== undefined && (
        <PastPassages
          passages={turn.past}
          onRemove={(passage) => void chat.forgetPassage(turn.id, passage)}
        />
      )}
      {!editing && (
        <div ref={passFocusOn} className="turn-tools">
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

/** A long pasted text would bury its answer and slow down the page. */
const maxShownCharacters = 3000;
/** A longer text from another program would push the user's question out of sight. */
const maxShownOfOthers = 300;

interface QuestionTextProps {
  readonly text: string;
  /** Whether the user wrote it. Otherwise it is a text that the small window quoted. */
  readonly isOwn: boolean;
}

function QuestionText({ text, isOwn }: QuestionTextProps) {
  const { t, i18n } = useTranslation();
  const [whole, setWhole] = useState(false);
  const maxShown = isOwn ? maxShownCharacters : maxShownOfOthers;
  const long = text.length > maxShown && !whole;
  return (
    <>
      <p className="question-text" dir="auto">
        {long ? `${withoutHalfSurrogate(text.slice(0, maxShown))}…` : text}
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

/** Removes a high surrogate left at the end by slicing. */
function withoutHalfSurrogate(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/u, '');
}

function QuestionEdit({ turn }: { readonly turn: string }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const text = useUiState(({ chat }) => chat.edits[turn] ?? '');
  const hint = useId();
  const place = useRef<FocusPlace>(undefined);
  useEffect(
    () => () => {
      if (place.current !== undefined) focusFrom(place.current);
      // The message was sent, and a second Enter must not press the nearest button.
      else focusIfLost('.turn-scroller');
    },
    [],
  );
  const cancel = ({ currentTarget }: { readonly currentTarget: Element }): void => {
    place.current = placeOf(currentTarget);
    chat.setEdit(turn, undefined);
  };
  const send = (): void => void chat.sendEdit(turn);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isSendKey(event)) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && !isComposing(event.nativeEvent)) {
      // Escape is used up here, so that it does not interrupt a talk as well.
      event.preventDefault();
      cancel(event);
    }
  };
  return (
    <div className="question-edit">
      <textarea
        ref={focusEnd}
        aria-label={t('chat.edit.name')}
        aria-describedby={hint}
        {...fitText(text)}
        rows={2}
        value={text}
        onChange={({ target }) => chat.setEdit(turn, target.value)}
        onKeyDown={onKeyDown}
        {...refuseLongText(chat.acceptsText)}
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
