import type { CallDecision } from '../../shared/chat/chat-thread.ts';
import { maxQuestionLength, type OfferKind } from '../../shared/cursor/quick-view.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import type { FrameArea } from '../../shared/vision/vision-options.ts';
import type { Ask, OrderedBridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';

/** Actions of the small window, and of other windows that open it. */
export function createQuickActions(store: Store<UiState>, bridge: OrderedBridge, ask: Ask) {
  const changeChat = (part: Partial<UiState['chat']>): void =>
    store.setState({ chat: { ...store.getState().chat, ...part } });
  /** The conversations whose passages the user left out of the question. The small window has one draft. */
  const leftOut = (): readonly HistoryRef[] =>
    Object.values(store.getState().chat.drafts).flatMap((draft) => draft.leftOut);
  const fitsQuestion = (text: string): boolean => {
    const isTooLong = text.length > maxQuestionLength;
    if (isTooLong) store.setState({ problem: { code: 'cursorQuestionLong', facts: {} } });
    else if (store.getState().problem?.code === 'cursorQuestionLong')
      store.setState({ problem: undefined });
    return !isTooLong;
  };
  return {
    read: () =>
      bridge.read('quick', ({ state, conversation }) =>
        store.setState({
          quick: state,
          chat: { ...store.getState().chat, conversation, stale: false },
        }),
      ),
    open: () => ask('openQuick', {}),
    ready: () => bridge.request('quickReady', undefined),
    close: () => ask('closeQuick', undefined),
    include: (kind: OfferKind, included: boolean) => ask('includeOffer', { kind, included }),
    captureScreen: () => ask('captureScreen', undefined),
    captureRegion: () => ask('captureRegion', undefined),
    /** The JPEG of the screen on which the user chooses a region; undefined if there is no such screenshot. */
    regionScreen: async () => {
      const reply = await bridge.request('regionScreen', undefined);
      return reply.ok ? reply.value : undefined;
    },
    showRegion: () => ask('showRegion', undefined),
    takeRegion: (area: FrameArea) => ask('takeRegion', { area }),
    cancelRegion: () => ask('cancelRegion', undefined),
    /** False for a text that no question can hold. */
    acceptsText: fitsQuestion,
    send: async (text: string): Promise<boolean> => {
      if (!fitsQuestion(text)) return false;
      const unwanted = leftOut();
      const leaveOut = unwanted.length === 0 ? {} : { leaveOut: unwanted };
      const sent = await ask('askQuick', { text, ...leaveOut });
      if (sent) changeChat({ foundPast: [], drafts: {} });
      return sent;
    },
    findPast: async (text: string, isCurrent: () => boolean): Promise<void> => {
      const reply = await bridge.request('findQuickPast', { text });
      if (!reply.ok || !isCurrent()) return;
      const unwanted = leftOut();
      const found = reply.value.filter(
        ({ kind, id }) => !unwanted.some((other) => other.kind === kind && other.id === id),
      );
      changeChat({ foundPast: found });
    },
    forgetPassage: (turn: string, { kind, id }: HistoryRef) =>
      ask('forgetQuickPassage', { turn, place: { kind, id } }),
    runAction: (id: string) => ask('runAction', { id }),
    stop: () => ask('stopQuick', undefined),
    waitForServer: (of: 'answer' | 'dictation', wait: boolean) =>
      ask('waitForServer', { of, wait }),
    decideCall: (call: string, decision: CallDecision) =>
      ask('decideQuickCall', { call, decision }),
    retry: (turn: string) => ask('retryQuick', { turn }),
    copy: (turn: string) => ask('copyQuick', { turn }),
    insert: (turn: string) => ask('insertQuick', { turn }),
    play: (turn: string) => ask('speakQuick', { turn }),
    silence: () => ask('silenceQuick', undefined),
    continueInChat: () => ask('continueInChat', undefined),
    dictate: () => ask('beginDictation', { to: 'question' }),
    endDictation: () => ask('endDictation', undefined),
    cancelDictation: () => ask('cancelDictation', undefined),
  };
}
