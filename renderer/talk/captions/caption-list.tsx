import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { useAppContext, useUiState } from '../../store/use-app-context.ts';
import { CaptionRows } from './caption-rows.ts';
import { OwnPhraseLine } from '../own-words/own-phrase-line.tsx';
import { saidRows } from '../own-words/said-rows.ts';
import { shownPhrases } from '../own-words/shown-phrases.ts';
import { SpokenLine } from './spoken-line.tsx';
import type { SpokenTurn } from '../../store/talk/spoken-turns.ts';
import { CaptionTurnLine } from './caption-turn-line.tsx';
import { watchUserScroll } from './watch-user-scroll.ts';
import type { UserScrollWatch } from './watch-user-scroll.ts';

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
    return () => {
      resized.disconnect();
    };
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
        <div className="caption-back">
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
