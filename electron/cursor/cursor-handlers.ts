import { closedQuick, emptyThread } from '../../shared/cursor/quick-view.ts';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { CursorHandlers } from '../../shared/ipc/cursor-ipc.ts';
import type { CursorWindow } from '../../shared/ports/other-programs.ts';
import type { Dictation } from './dictation.ts';
import type { QuickAsk } from './quick-ask.ts';
import type { RegionPicker } from './region-picker.ts';

export interface SmallWindow {
  readonly ask: QuickAsk;
  readonly dictation: Dictation;
  readonly region: RegionPicker;
  readonly window: Pick<CursorWindow, 'pageReady'>;
}

/** Without a small window, `quick` and `findQuickPast` return empty values; every other request fails. */
export function createCursorHandlers(small: SmallWindow | undefined): CursorHandlers {
  type Result = Outcome<undefined> | void;
  const act =
    <Input>(handle: (own: SmallWindow, input: Input) => Result | Promise<Result>) =>
    (input: Input): Result | Promise<Result> =>
      small === undefined ? failure('cursorElsewhere') : handle(small, input);
  return {
    quick: () => small?.ask.snapshot() ?? { state: closedQuick, conversation: emptyThread },
    openQuick: act(({ ask }, { text }) => ask.open(text)),
    quickReady: act(({ window }) => window.pageReady()),
    closeQuick: act(async ({ ask, dictation }) => {
      await dictation.cancel();
      await ask.close();
    }),
    includeOffer: act(({ ask }, { kind, included }) => ask.include(kind, included)),
    captureScreen: act(({ ask }) => ask.captureScreen()),
    captureRegion: act(({ ask }) => ask.captureRegion()),
    regionScreen: () => small?.region.screen() ?? failure('cursorElsewhere'),
    showRegion: act(({ region }) => region.show()),
    takeRegion: act(({ region }, { area }) => region.take(area)),
    cancelRegion: act(({ region }) => region.cancel()),
    askQuick: act(({ ask }, { text, leaveOut }) => ask.ask(text, leaveOut)),
    findQuickPast: ({ text }) => small?.ask.findPast(text) ?? [],
    forgetQuickPassage: act(({ ask }, { turn, place }) => ask.forgetPassage(turn, place)),
    runAction: act(({ ask }, { id }) => ask.runAction(id)),
    decideQuickCall: act(({ ask }, { call, decision }) => ask.decideCall(call, decision)),
    stopQuick: act(({ ask }) => ask.stop()),
    waitForServer: act(({ ask, dictation }, { of, wait }) =>
      (of === 'answer' ? ask : dictation).waitForServer(wait),
    ),
    retryQuick: act(({ ask }, { turn }) => ask.retry(turn)),
    copyQuick: act(({ ask }, { turn }) => ask.copy(turn)),
    insertQuick: act(({ ask }, { turn }) => ask.insert(turn)),
    speakQuick: act(({ ask }, { turn }) => ask.play(turn)),
    silenceQuick: act(({ ask }) => ask.silence()),
    continueInChat: act(({ ask }) => ask.continueInChat()),
    beginDictation: act(({ dictation }, { to }) => dictation.begin(to, 'tap')),
    endDictation: act(({ dictation }) => dictation.end()),
    cancelDictation: act(({ dictation }) => dictation.cancel()),
  };
}
