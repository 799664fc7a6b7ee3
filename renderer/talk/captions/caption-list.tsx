import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Mic, Volume2 } from 'lucide-react';
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useAppContext, useUiState } from '../../app/app-context.ts';
import { Button } from '../../design/controls.tsx';
import type { SpokenTurn } from '../../../shared/talk/talk-view.ts';
import {
  type CaptionRow,
  CaptionRows,
  isFinished,
  mergeTranscriptRows,
  toRowParts,
  visiblePhrases,
} from './caption-rows.ts';
import { CaptionText, SpokenBy, UserTranscriptText } from './caption-text.tsx';

/** Loaded on demand, because a tool's answer needs the Markdown renderer, and most talks have none. */
const ToolTaskView = lazy(async () => {
  const { ToolTaskView } = await import('../tool-task.tsx');
  return { default: ToolTaskView };
});

const noTurns: readonly SpokenTurn[] = [];

/** A scroll position this close to the end, in pixels, counts as the end. */
const endMarginPx = 40;

/** Follows the newest words until the user scrolls back, and again when they return to the end. */
export function CaptionList() {
  const { t } = useTranslation();
  const [captionRows] = useState(() => new CaptionRows());
  const turns = useUiState(({ captions }) => captionRows.update(captions));
  const userTranscript = useUiState(({ userTranscript }) => userTranscript);
  const phrases = useMemo(() => visiblePhrases(userTranscript), [userTranscript]);
  const { store, shows } = useAppContext();
  // A replay shows no rows such as “You spoke, 3 s”, because its clock can run faster or slower than real time.
  const spoken = useUiState(({ spoken }) => (shows === 'talk' ? spoken.turns : noTurns));
  const allTasks = useUiState(({ toolTasks }) => toolTasks);
  const tasks = useMemo(() => allTasks.filter(isFinished), [allTasks]);
  const rows = useMemo(
    () => mergeTranscriptRows(turns, store.getState().captions, phrases, spoken, tasks),
    [turns, phrases, spoken, tasks, store],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const userScroll = useRef<UserScrollWatch>(undefined);
  const [away, setAway] = useState(false);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    overscan: 4,
    gap: 20,
    // In pixels: the height of the faded edge, so that the first line starts below it.
    paddingStart: 24,
  });
  const height = virtualizer.getTotalSize();

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
          // Measuring rows interrupts the browser's own smooth scroll to the top.
          if (event.key !== 'Home') return;
          event.preventDefault();
          setAway(true);
          virtualizer.scrollToOffset(0);
        }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight <= endMarginPx) setAway(false);
          else if (userScroll.current?.isScrolling() === true) setAway(true);
          else if (!away) toEnd();
        }}
      >
        <div className="caption-content" style={{ height }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="caption-slot"
                style={{ transform: `translateY(${start}px)` }}
              >
                {'phrase' in row ? (
                  <UserPhraseLine at={row.phrase} />
                ) : 'task' in row ? (
                  <TaskEntry id={row.task} />
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

/** A turn, or one row of a very long turn. Memoized: a new word re-renders only its own line. */
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
      {turn.hearsComputer === true && from === 0 && <ComputerSoundHeard />}
      <CaptionText {...toRowParts(turn, { from, to })} />
    </p>
  );
  if (turn.startsSession !== true || from > 0) return line;
  return (
    <>
      <p className="caption-new-session hint">{t('talk.captions.newSession')}</p>
      {line}
    </>
  );
});

/** Marks a turn or a phrase that began while the model also heard the computer's sound. */
function ComputerSoundHeard() {
  const { t } = useTranslation();
  const text = t('talk.computerSound.heard');
  return (
    <span className="caption-mark" role="img" aria-label={text} title={text}>
      <Volume2 strokeWidth={1.75} aria-hidden />
    </span>
  );
}

const UserPhraseLine = memo(function UserPhraseLine({ at }: { readonly at: number }) {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const { correctUserTranscript } = useActions();
  const phrase = useUiState(({ userTranscript }) =>
    userTranscript.phrases.find((each) => each.at === at),
  );
  if (phrase === undefined) return null;
  const { state, text, transcribed, hearsComputer } = phrase;
  return (
    <div className="own-phrase" data-state={state} data-at={at}>
      <SpokenBy
        name={t('talk.own.name')}
        transcribed={state === 'written' && text !== '' ? transcribed : undefined}
      >
        {hearsComputer === true && <ComputerSoundHeard />}
      </SpokenBy>
      <UserTranscriptText
        words={text}
        placeholder={t(state === 'removed' ? 'talk.own.written' : `talk.own.${state}`)}
        // Corrections to a recorded talk are made in History.
        onCorrect={shows === 'talk' ? (words) => correctUserTranscript(at, words) : undefined}
      />
    </div>
  );
});

function TaskEntry({ id }: { readonly id: string }) {
  const task = useUiState(({ toolTasks }) => toolTasks.find((each) => each.id === id));
  if (task === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ToolTaskView task={task} />
    </Suspense>
  );
}

function SpokenLine({ seconds }: { readonly seconds: number }) {
  const { t } = useTranslation();
  return (
    <p className="spoken hint">
      <Mic strokeWidth={1.75} aria-hidden />
      {t('talk.spoken', { seconds: Math.round(seconds) })}
    </p>
  );
}

/** A wheel or a swipe keeps scrolling for about this long after the hand lets go. */
const momentumMs = 1000;
const scrollKeys = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;

interface UserScrollWatch {
  readonly isScrolling: () => boolean;
  readonly stop: () => void;
}

/** Distinguishes the user's scrolling from the scroll events that the measuring of rows causes. */
export function watchUserScroll(element: HTMLElement, now: () => number): UserScrollWatch {
  const listening = new AbortController();
  const options = { signal: listening.signal, passive: true };
  let inputAt = Number.NEGATIVE_INFINITY;
  let isDragging = false;
  const markInput = (): void => {
    inputAt = now();
  };
  element.addEventListener('wheel', markInput, options);
  element.addEventListener('touchmove', markInput, options);
  element.addEventListener(
    'keydown',
    ({ key }) => {
      if (scrollKeys.test(key)) markInput();
    },
    options,
  );
  // Dragging the scrollbar counts as scrolling for as long as the button is down.
  element.addEventListener(
    'pointerdown',
    () => {
      isDragging = true;
    },
    options,
  );
  for (const end of ['pointerup', 'pointercancel'] as const) {
    window.addEventListener(
      end,
      () => {
        isDragging = false;
      },
      options,
    );
  }
  return {
    isScrolling: () => {
      if (!isDragging && now() - inputAt > momentumMs) return false;
      inputAt = now();
      return true;
    },
    stop: () => listening.abort(),
  };
}
