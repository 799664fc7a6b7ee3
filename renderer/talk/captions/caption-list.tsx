import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Mic } from 'lucide-react';
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useAppContext, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import type { SpokenTurn } from '../talk-ui-state.ts';
import { type CaptionRow, CaptionRows, rowPartsOf } from './caption-rows.ts';
import { CaptionText } from './caption-text.tsx';
import { OwnWordsText, SpokenBy } from './own-words-text.tsx';
import { saidRows, shownPhrases } from './said-rows.ts';

const none: readonly SpokenTurn[] = [];

/** So near to the end counts as the end. */
const edge = 40;

/**
 * All that was said, of which only what is in sight is in the page. It stays with the newest words
 * until the person scrolls back, and then stays where they look until they return.
 */
export function CaptionList() {
  const { t } = useTranslation();
  const [captionRows] = useState(() => new CaptionRows());
  const turns = useUiState(({ captions }) => captionRows.of(captions));
  const ownWords = useUiState(({ ownWords }) => ownWords);
  const phrases = useMemo(() => shownPhrases(ownWords), [ownWords]);
  const { store, shows } = useAppContext();
  // A replay runs at another speed than the clock.
  const spoken = useUiState(({ spoken }) => (shows === 'talk' ? spoken.turns : none));
  const rows = useMemo(
    () => saidRows(turns, store.getState().captions, phrases, spoken),
    [turns, phrases, spoken, store],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const userScroll = useRef<UserScrollWatch>(undefined);
  const [away, setAway] = useState(false);
  const roll = useVirtualizer({
    count: rows.length,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    overscan: 4,
    gap: 20,
    // As tall as the edge that fades: the first line stands below it.
    paddingStart: 24,
  });
  const height = roll.getTotalSize();

  const toEnd = (): void => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  useLayoutEffect(() => {
    if (!away) toEnd();
  }, [height, away]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const resized = new ResizeObserver(() => {
      if (!away) toEnd();
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, [away]);

  useEffect(() => {
    if (scroller.current === null) return undefined;
    const watched = watchUserScroll(scroller.current, () => performance.now());
    userScroll.current = watched;
    return watched.stop;
  }, []);

  return (
    <div className="captions">
      <div
        ref={scroller}
        className="caption-scroller"
        role="region"
        aria-label={t(phrases.length === 0 ? 'talk.captions.name' : 'history.talk.lines')}
        tabIndex={0}
        onKeyDown={(event) => {
          // The engine's own long way there is broken off by lines that are measured on it.
          if (event.key !== 'Home') return;
          event.preventDefault();
          setAway(true);
          roll.scrollToOffset(0);
        }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight <= edge) setAway(false);
          else if (userScroll.current?.isScrolling() === true) setAway(true);
          else if (!away) toEnd();
        }}
      >
        <div className="caption-roll" style={{ height }}>
          {roll.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                ref={roll.measureElement}
                data-index={index}
                className="caption-place"
                style={{ transform: `translateY(${start}px)` }}
              >
                {'phrase' in row ? (
                  <OwnPhraseLine at={row.phrase} />
                ) : 'seconds' in row ? (
                  <SpokenLine seconds={row.seconds} />
                ) : (
                  <CaptionTurnLine index={row.index} from={row.from} to={row.to} />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {away && (
        <div className="to-newest">
          <Button
            icon={<ArrowDown aria-hidden />}
            onClick={() => {
              setAway(false);
              toEnd();
            }}
          >
            {t('talk.captions.back')}
          </Button>
        </div>
      )}
    </div>
  );
}

type Props = Pick<CaptionRow, 'index' | 'from' | 'to'>;

/** One turn, or a part of a very long one; a new word renders its line and no other turn's. */
const CaptionTurnLine = memo(function CaptionTurnLine({ index, from, to }: Props) {
  const turn = useUiState(({ captions }) => captions[index]);
  const { t } = useTranslation();
  if (turn === undefined) return null;
  const line = (
    <p
      className="caption"
      dir="auto"
      data-settled={turn.settled}
      data-turn={turn.turn}
      data-from={from}
    >
      <CaptionText {...rowPartsOf(turn, { from, to })} />
    </p>
  );
  if (turn.anew !== true || from > 0) return line;
  return (
    <>
      <p className="caption-anew hint">{t('talk.captions.anew')}</p>
      {line}
    </>
  );
});

/** What the person said, between what Parley said; who wrote it down, or why nobody has. */
const OwnPhraseLine = memo(function OwnPhraseLine({ at }: { readonly at: number }) {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const { correctOwnWords } = useActions();
  const phrase = useUiState(({ ownWords }) => ownWords.phrases.find((each) => each.at === at));
  if (phrase === undefined) return null;
  const { state, text, transcribed } = phrase;
  return (
    <div className="own-phrase" data-state={state} data-at={at}>
      <SpokenBy
        name={t('talk.own.name')}
        transcribed={state === 'written' && text !== '' ? transcribed : undefined}
      />
      <OwnWordsText
        words={text}
        instead={t(state === 'removed' ? 'talk.own.written' : `talk.own.${state}`)}
        // What is put right stands in History.
        correct={shows === 'talk' ? (words) => void correctOwnWords(at, words) : undefined}
      />
    </div>
  );
});

/** That the person spoke, where what they said is not written down. */
function SpokenLine({ seconds }: { readonly seconds: number }) {
  const { t } = useTranslation();
  return (
    <p className="spoken hint">
      <Mic strokeWidth={1.75} aria-hidden />
      {t('talk.spoken', { seconds: Math.round(seconds) })}
    </p>
  );
}

/** A hand that lets go leaves the page rolling for a moment. */
const rollsMs = 1000;
const keys = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;

interface UserScrollWatch {
  /** It is a person who scrolls at the moment. */
  readonly isScrolling: () => boolean;
  readonly stop: () => void;
}

/**
 * Tells a person's scrolling from that of the page itself: lines that are measured move what stands
 * around them, and the engine reports that in the same words.
 */
export function watchUserScroll(element: HTMLElement, now: () => number): UserScrollWatch {
  const leaving = new AbortController();
  const options = { signal: leaving.signal, passive: true };
  let seenAt = Number.NEGATIVE_INFINITY;
  let holds = false;
  const seen = (): void => {
    seenAt = now();
  };
  element.addEventListener('wheel', seen, options);
  element.addEventListener('touchmove', seen, options);
  element.addEventListener(
    'keydown',
    ({ key }) => {
      if (keys.test(key)) seen();
    },
    options,
  );
  // Held by its bar, it is scrolled for as long as the button is down.
  element.addEventListener(
    'pointerdown',
    () => {
      holds = true;
    },
    options,
  );
  for (const end of ['pointerup', 'pointercancel'] as const) {
    window.addEventListener(
      end,
      () => {
        holds = false;
      },
      options,
    );
  }
  return {
    isScrolling: () => {
      if (!holds && now() - seenAt > rollsMs) return false;
      seenAt = now();
      return true;
    },
    stop: () => leaving.abort(),
  };
}
