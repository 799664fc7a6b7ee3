import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type {
  HistoryIndex,
  HistorySource,
} from '../../electron/recordings/history/history-index.ts';
import { HistoryLibrary } from '../../electron/recordings/history/history-library.ts';
import { IndexSync } from '../../electron/recordings/history/index-sync.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { TalkItem } from '../../shared/recordings/history-item.ts';

interface Options {
  readonly clock?: Clock;
  readonly tapes?: ReadonlySet<string>;
  readonly wallNow?: () => number;
  /** Throws by default. */
  readonly reportError?: (error: AppError) => void;
}

/** A history over these sources, without a running talk. */
export function openHistoryOf(
  sources: readonly HistorySource[],
  index: HistoryIndex,
  options: Options = {},
) {
  const { clock = systemClock, tapes = new Set(), wallNow = () => 0 } = options;
  const reportError = ({ code }: AppError): never => {
    throw new Error(code);
  };
  const onIndexChange = (): void => undefined;
  const sync = new IndexSync({ sources, index, clock, onIndexChange, reportError, ...options });
  const library = new HistoryLibrary({
    sources,
    index,
    sync,
    tapes: () => Promise.resolve(tapes),
    runningId: () => undefined,
    wallNow,
  });
  return { sync, library };
}

/** A talk of one second without words. */
export const talkItem = (id: string, fields: Partial<TalkItem> = {}): TalkItem => ({
  kind: 'talk',
  id,
  at: 0,
  title: '',
  firstWords: '',
  pinned: false,
  pictures: 0,
  mode: 'audio',
  seconds: 1,
  server: 'Studio',
  ending: 'orderly',
  tape: false,
  ...fields,
});
