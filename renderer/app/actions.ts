import { nativeLibraryNames } from '../../shared/app/program.ts';
import type { CallDecision } from '../../shared/chat/chat-thread.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { isBuiltIn } from '../../shared/settings/connection-settings.ts';
import type { ModelSettings } from '../../shared/settings/app-settings.ts';
import type { PageSettingsPatch } from '../../shared/settings/settings.ts';
import type { PushToTalkMode } from '../../shared/talk/talk-view.ts';
import type { PageCapture } from '../capture/capture-controller.ts';
import { createVisionActions } from '../capture/vision-actions.ts';
import { createChatActions } from '../chat/chat-actions.ts';
import { createCompareActions } from '../compare/compare-store.ts';
import { createQuickActions } from '../cursor/quick-actions.ts';
import { createExportActions, startDownload } from '../export/export-store.ts';
import { createHistoryActions } from '../history/history-actions.ts';
import { createReplayActions } from '../replay/replay-actions.ts';
import { createReportActions } from '../report/report-store.ts';
import { createSettingsActions, createToolActions } from '../settings/settings-actions.ts';
import type { SettingsSection } from '../settings/settings-ui-state.ts';
import {
  createLeaveOutAction,
  createStartWithPictures,
  createTalkActions,
  createTypingActions,
} from '../talk/talk-actions.ts';
import { type Ask, type Bridge, createAsk, type OrderedBridge } from './bridge/ordered-bridge.ts';
import type { Store } from './store.ts';
import { allLibraries, type ScreenName, type UiState } from './ui-state.ts';

/**
 * Errors that mean Parley does not have the words of the request. The page then opens a field in which the user writes
 * them.
 */
const wordlessCodes = ['requestNoWords', 'requestUnclear', 'noChatInLegacy'] as const;

/** The actions that act on the running talk, or begin one. */
export type TalkActions = ReturnType<typeof createTalkRequests> &
  ReturnType<typeof createTalkActions>;

/** All user actions. Their errors go to the UI state. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(
  store: Store<UiState>,
  innerBridge: OrderedBridge,
  capture: PageCapture,
) {
  const { getState, setState } = store;
  const removal = createRemovalActions(store);
  const bridge = removal.wrapBridge(innerBridge);
  /** The error that `ask` shows. The next successful `ask` clears it; other errors stay until dismissed. */
  let shownError: AppError | undefined;

  const showStanding = (): void => setState({ problem: getState().standingProblems.at(-1) });

  const ask: Ask = async (name, input) => {
    const reply = await bridge.request(name, input);
    if (!reply.ok) {
      shownError = reply.error;
      setState({ problem: shownError });
    } else if (shownError !== undefined && getState().problem === shownError) showStanding();
    return reply.ok;
  };
  /** Like `ask`, but a later success does not clear the error. */
  const attempt = createAsk(bridge.request, (problem) => setState({ problem }));
  const talk = createTalkRequests(ask);
  const starts = createTalkActions({
    ask,
    vision: {
      openForTalk: () => vision.openForTalk(),
      closeForTalk: () => vision.closeForTalk(),
    },
    hasEnded: () => getState().talkState.value.phase === 'ended',
    // The mini window has no preview, so a talk that continues there opens no camera or screen.
    endedMode: () => (getState().window === 'main' ? getState().facts?.mode : undefined),
    writeTask: (writesTask) => setState({ writesTask }),
    lacksWords: () => wordlessCodes.some((code) => code === getState().problem?.code),
  });
  const vision = createVisionActions({
    store,
    bridge,
    capture,
    ask,
    begin: createStartWithPictures({
      store,
      end: talk.end,
      start: starts.start,
      closeForTalk: () => vision.closeForTalk(),
    }),
  });
  const replay = createReplayActions({ store, bridge, ask });

  const setup = createSettingsActions(store, bridge);
  const openSettings = (section: SettingsSection): void =>
    setState({
      screen: 'settings',
      settingsUi: { ...getState().settingsUi, section, searchText: '' },
    });

  const chat = createChatActions(store, bridge);
  const history = createHistoryActions({
    store,
    request: bridge.request,
    attempt,
    openChat: async (id, turn) => {
      setState({ screen: 'chat' });
      await chat.open(id, turn);
    },
  });

  return {
    ...createWindowActions(store, bridge, attempt),
    ...createUpdateActions(store, bridge, attempt),
    model: createModelActions(bridge, attempt, store),
    chat,
    quick: createQuickActions(store, bridge, ask),
    tools: createToolActions(store, bridge, ask),
    history,
    removal,
    typing: createTypingActions({ store, request: bridge.request, readChat: chat.read }),
    comparing: createCompareActions({ store, request: bridge.request }),
    exporting: createExportActions({ store, request: bridge.request, download: startDownload }),
    reporting: createReportActions({ store, request: bridge.request, download: startDownload }),
    go: (screen: ScreenName) => setState({ screen }),
    beginChat: async () => {
      setState({ screen: 'chat' });
      await chat.begin();
    },
    openSettings,
    setup,
    /** Opens the form of the chosen server; built-in servers have none. */
    openServer: () => {
      openSettings('endpoints');
      const { endpoints } = getState().settings ?? {};
      const profile = endpoints?.list.find(({ id }) => id === endpoints.chosen);
      if (profile !== undefined && !isBuiltIn(profile)) setup.editServer(profile.id);
    },
    leaveOut: createLeaveOutAction({ store, ask, start: starts.start }),
    replay,
    /** Changes only the named settings; the result follows as `settingsChanged`. */
    changeSettings: (patch: PageSettingsPatch) => ask('changeSettings', patch),
    setPalette: (paletteOpen: boolean) => setState({ paletteOpen, shortcutsOpen: false }),
    setShortcuts: (shortcutsOpen: boolean) => setState({ shortcutsOpen, paletteOpen: false }),
    openGuide: (search = '') =>
      setState({ guide: { search }, paletteOpen: false, shortcutsOpen: false }),
    closeGuide: () => setState({ guide: undefined }),
    dismissRecovery: () => setState({ recovery: undefined }),
    dismissProblem: () => {
      const { problem, standingProblems } = getState();
      setState({ standingProblems: standingProblems.filter((other) => other !== problem) });
      showStanding();
    },
    dismissTrouble: (trouble: AppError) =>
      setState({ talkErrors: getState().talkErrors.filter((other) => other !== trouble) }),
    dismissWarning: () => setState({ warning: undefined }),
    dismissOnlyListening: () => setState({ onlyListening: undefined }),
    checkLibraries: async () => {
      setState({ libraries: allLibraries('checking') });
      showStanding();
      const checked = await attempt('checkLibraries', { libraries: nativeLibraryNames });
      if (!checked) setState({ libraries: allLibraries('unknown') });
    },
    ...talk,
    ...starts,
    showFirstStep: (firstStep: UiState['firstStep']) => setState({ firstStep }),
    /** The user finished or skipped the first-run steps. */
    endFirstRun: () => ask('changeSettings', { firstRun: { done: true } }),
    showToast: createToastAction(store),
    /** Hides the ended talk in this window. It can still be continued, and other windows show it. */
    dismissEnded: () => setState({ isEndedDismissed: true }),
    setInspector: (inspectorOpen: boolean) => setState({ inspectorOpen }),
    ...vision,
  };
}

function createTalkRequests(ask: Ask) {
  return {
    end: () => ask('endTalk', undefined),
    reconnectNow: () => ask('networkBack', undefined),
    interrupt: () => ask('interruptTalk', undefined),
    talkKey: (key: 'press' | 'release' | 'lost') => ask('talkKey', { key }),
    setTalking: (mode: PushToTalkMode) => ask('setTalking', { mode }),
    setMuted: (muted: boolean) => ask('setMuted', { muted }),
    setCoughMuted: (muted: boolean) => ask('setCoughMuted', { muted }),
    hearComputer: (on: boolean) => ask('hearComputer', { on }),
    setPaused: (paused: boolean) => ask('setPaused', { paused }),
    /** Corrects the phrase at this time in the talk on the screen; empty text removes it. */
    correctUserTranscript: (at: number, text: string) => ask('correctUserPhrase', { at, text }),
    retryTranscription: () => ask('retryTranscription', undefined),
    decideTalkCall: (call: string, decision: CallDecision) =>
      ask('decideTalkCall', { call, decision }),
    stopTask: () => ask('stopTask', undefined),
  };
}

/** Window actions. A browser host has no windows, so the page shows no buttons for them. */
function createWindowActions({ setState }: Store<UiState>, bridge: OrderedBridge, ask: Ask) {
  return {
    readWindows: async () => {
      await bridge.read('windows', (windows) => setState({ windows }));
    },
    readLink: async () => {
      await bridge.read('openedLink', (openedLink) => setState({ openedLink }));
    },
    dismissLink: () => ask('dismissLink', undefined),
    showMini: () => ask('showMini', undefined),
    closeMini: () => ask('closeMini', undefined),
    showMain: () => ask('showMain', undefined),
    quit: () => ask('quit', undefined),
  };
}

function createUpdateActions({ setState }: Store<UiState>, bridge: OrderedBridge, ask: Ask) {
  return {
    readUpdates: async () => {
      await bridge.read('updates', (updates) => setState({ updates }));
    },
    checkForUpdates: () => ask('checkForUpdates', undefined),
    fetchUpdate: () => ask('fetchUpdate', undefined),
    updateSeen: () => ask('updateSeen', undefined),
    switchVersion: (to: 'next' | 'previous') => ask('switchVersion', { to }),
  };
}

function createModelActions(bridge: OrderedBridge, ask: Ask, { setState }: Store<UiState>) {
  return {
    look: async () => {
      await bridge.read('localModel', (localModel) => setState({ localModel }));
      await ask('lookForModel', undefined);
    },
    download: () => ask('downloadModel', undefined),
    pause: () => ask('pauseModel', undefined),
    verify: () => ask('verifyModel', undefined),
    remove: () => ask('removeModel', undefined),
    setFolder: (path: string) => ask('setModelFolder', { path }),
    setProgram: (path: string) => ask('setModelProgram', { path }),
    chooseFolder: () => ask('chooseModelFolder', undefined),
    chooseProgram: () => ask('chooseModelProgram', undefined),
    setIdleMinutes: (idleMinutes: number) => ask('changeSettings', { model: { idleMinutes } }),
    setChatWhileTalking: (chatWhileTalking: ModelSettings['chatWhileTalking']) =>
      ask('changeSettings', { model: { chatWhileTalking } }),
    setMirror: (mirror: ModelSettings['mirror']) => ask('changeSettings', { model: { mirror } }),
    load: () => ask('loadModel', undefined),
    unload: () => ask('unloadModel', undefined),
  };
}

/** Long enough to read, short enough to need no dismissal. */
const toastMs = 4000;

/** Confirms for a moment an action whose effect is not visible on the current screen. */
function createToastAction({ setState }: Store<UiState>): (toast: string) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (toast) => {
    clearTimeout(timer);
    setState({ toast });
    timer = setTimeout(() => setState({ toast: undefined }), toastMs);
  };
}

const undoableMs = 10_000;

type BridgeRequestName = Parameters<Bridge['request']>[0];

interface Removal {
  readonly keys: readonly string[];
  /** The text beside Undo. */
  readonly message: string;
  readonly remove: () => unknown;
  readonly restore?: () => unknown;
  /** Requests that depend on the deletion. It starts before they are sent. */
  readonly completeBefore?: readonly BridgeRequestName[];
}

/**
 * Hides deleted entries at once and deletes them after a delay. Offers Undo instead of a confirmation dialog. At most
 * one deletion is pending. A second deletion, or closing the page, completes it at once.
 */
function createRemovalActions({ setState }: Store<UiState>) {
  let pending:
    | { readonly removal: Removal; readonly timer: ReturnType<typeof setTimeout> }
    | undefined;
  /** The entries whose deletion is under way, which can no longer be undone. */
  const deleting = new Set<string>();

  /** Hides these entries too, so that none reappears in a list that is still the old one. */
  const show = (removal?: Removal): void => {
    const keys = new Set([...deleting, ...(removal?.keys ?? [])]);
    setState({ removed: keys.size === 0 ? undefined : { keys, message: removal?.message } });
  };
  const clearPending = (): Removal | undefined => {
    clearTimeout(pending?.timer);
    const removal = pending?.removal;
    pending = undefined;
    return removal;
  };
  const finish = async (): Promise<void> => {
    const removal = clearPending();
    if (removal === undefined) return;
    for (const key of removal.keys) deleting.add(key);
    show();
    await removal.remove();
    for (const key of removal.keys) deleting.delete(key);
    show(pending?.removal);
  };
  const expire = (): ReturnType<typeof setTimeout> => setTimeout(() => void finish(), undoableMs);
  return {
    remove: (removal: Removal): void => {
      void finish();
      pending = { removal, timer: expire() };
      show(removal);
    },
    /** The user may be about to undo: the time starts again with `resume`. */
    hold: (): void => clearTimeout(pending?.timer),
    resume: (): void => {
      if (pending === undefined) return;
      clearTimeout(pending.timer);
      pending = { ...pending, timer: expire() };
    },
    undo: (): void => {
      const removal = clearPending();
      show();
      void removal?.restore?.();
    },
    /** Completes the deletion now; it cannot be undone afterwards. */
    finish,
    /** A bridge that starts the deletion before a request that depends on it, without waiting for the deletion. */
    wrapBridge: (bridge: OrderedBridge): OrderedBridge => ({
      ...bridge,
      request: (name, input) => {
        if (pending?.removal.completeBefore?.includes(name) === true) void finish();
        return bridge.request(name, input);
      },
    }),
  };
}
