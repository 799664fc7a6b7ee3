import { createContext, use, useSyncExternalStore } from 'react';
import { Listeners } from '../../shared/listeners.ts';
import { computerProfile } from '../../shared/settings/connection-settings.ts';
import type { VoiceRecordingEvent } from '../../shared/settings/audio-settings.ts';
import type { CaptionPatch, TalkLevel } from '../../shared/talk/talk-view.ts';
import type { PageCapture } from '../capture/capture-controller.ts';
import { closeCaptureWithTalk } from '../capture/vision-actions.ts';
import { currentVisionSettings } from '../capture/vision-ui-state.ts';
import { patchTurns } from '../talk/talk-ui-state.ts';
import { type Actions, createActions } from './actions.ts';
import { applyNotice, applyTalkSnapshot } from './apply-notice.ts';
import {
  type Bridge,
  type BridgeNotice,
  NoticePace,
  type OrderedBridge,
  orderReplies,
} from './bridge/ordered-bridge.ts';
import { createStore, type Store } from './store.ts';
import { allLibraries, initialUiState, type UiState } from './ui-state.ts';

export interface AppContext {
  /** Whether the screens show the current talk or a replay. */
  readonly shows: 'talk' | 'replay';
  readonly store: Store<UiState>;
  readonly actions: Actions;
  /** Levels arrive up to 40 times a second, so they bypass the store and React. */
  readonly levels: Listeners<TalkLevel>;
  /** All notices except captions and the levels of a clip. */
  readonly listen: (listener: (notice: BridgeNotice) => void) => () => void;
  readonly request: Bridge['request'];
  /** Levels in dBFS of a microphone outside a talk. */
  readonly microphoneLevels: Listeners<MeterLevel>;
  readonly clipLevels: Listeners<ClipLevel>;
  /** Milliseconds of the page's clock. */
  readonly now: () => number;
}

type ClipLevel = Extract<VoiceRecordingEvent, { kind: 'level' }>;

interface MeterLevel {
  readonly rmsDb: number;
  readonly peakDb: number;
}

interface AppContextDeps {
  readonly bridge: Bridge;
  readonly capture: PageCapture;
  readonly now: () => number;
  /** If present, notices are batched by frame ({@link NoticePace}); else each is applied at once. */
  readonly pace?: Pick<ConstructorParameters<typeof NoticePace>[0], 'nextFrame' | 'nextTick'>;
  readonly initialState?: Partial<UiState>;
}

/**
 * Notices that depend on the captions before them. Pending captions are applied before such a notice, otherwise at the
 * end of a batch.
 */
const followsCaptions: ReadonlySet<BridgeNotice['name']> = new Set([
  'floor',
  'talkBegan',
  'talkOnlyListens',
]);

/** Connects the store to the bridge and the capture. */
export function createAppContext({
  bridge: unorderedBridge,
  capture,
  now,
  pace: paceDeps,
  initialState,
}: AppContextDeps): AppContext {
  const ordered = orderReplies(unorderedBridge);
  const pace =
    paceDeps === undefined ? undefined : new NoticePace({ apply: applyNotices, now, ...paceDeps });
  const bridge: OrderedBridge = {
    ...ordered,
    read: (name, apply) =>
      ordered.read(name, (value) => {
        // Pending notices are older than this reply.
        pace?.flush();
        apply(value);
      }),
  };
  const store = createStore<UiState>({ ...initialUiState, ...initialState });
  const levels = new Listeners<TalkLevel>();
  const clipLevels = new Listeners<ClipLevel>();
  const meter = new Listeners<MeterLevel>();
  const actions = createActions(store, bridge, capture);
  const listeners = new Listeners<BridgeNotice>();

  function followSettings(): void {
    const { settings } = store.getState();
    if (settings === undefined) return;
    capture.setChunk(settings.assistant.generation.chunkMs);
    void capture.follow(currentVisionSettings(store.getState()));
  }

  async function readAbout(): Promise<void> {
    const reply = await bridge.request('about', undefined);
    store.setState(reply.ok ? { about: reply.value } : { problem: reply.error });
  }

  async function readTalk(): Promise<void> {
    await bridge.read('talk', (talk) => store.setState(applyTalkSnapshot(talk, now())));
    if (store.getState().facts?.endpoint === computerProfile.name)
      await bridge.read('localModel', (localModel) => store.setState({ localModel }));
  }

  async function readSettings(): Promise<void> {
    const reply = await bridge.read('settings', ({ settings, problems }) => {
      store.setState({
        settings,
        problem: problems.at(-1) ?? store.getState().problem,
        standingProblems: problems,
      });
      followSettings();
    });
    if (!reply.ok) store.setState({ problem: reply.error });
  }

  function readConversation(): Promise<unknown> {
    return store.getState().window === 'cursor' ? actions.quick.read() : actions.chat.read();
  }

  /** Applies caption patches in batches, because a server can send thousands of turns. */
  function applyNotices(notices: readonly BridgeNotice[]): void {
    let patches: CaptionPatch[] = [];
    const applyCaptions = (): void => {
      if (patches.length === 0) return;
      const { captions } = store.getState();
      // A caption proves that the server answers.
      store.setState({ captions: patchTurns(captions, patches), onlyListening: undefined });
      patches = [];
    };
    for (const notice of notices) {
      if (notice.name === 'caption') {
        patches.push(notice.payload);
        continue;
      }
      if (followsCaptions.has(notice.name)) applyCaptions();
      applyOne(notice);
    }
    applyCaptions();
  }

  function applyOne(notice: BridgeNotice): void {
    if (notice.name === 'level') levels.emit(notice.payload);
    if (notice.name === 'clipRecording' && notice.payload.kind === 'level') {
      clipLevels.emit(notice.payload);
      return;
    }
    if (notice.name === 'microphoneMeter' || notice.name === 'voiceRecording') {
      if (notice.payload.kind === 'level') meter.emit(notice.payload);
    }
    const { stale } = store.getState().chat;
    const part = applyNotice(store.getState(), notice, now());
    if (Object.keys(part).length > 0) store.setState(part);
    if (!stale && part.chat?.stale === true) void readConversation();
    if (notice.name === 'settingsChanged') followSettings();
    listeners.emit(notice);
  }

  bridge.onNotice((notice) => {
    if (pace === undefined) applyNotices([notice]);
    else pace.add(notice);
  });
  bridge.onConnection((connection) => {
    pace?.flush();
    store.setState({ connection });
    if (connection === 'lost') {
      actions.chat.dropClip();
      actions.setup.dropVoiceRecording();
      actions.setup.dropMeter();
      return;
    }
    // The new connection may be to a different core, so earlier results are invalid.
    store.setState({ libraries: allLibraries('unasked') });
    void readAbout();
    void readSettings();
    void readTalk();
    // Part of an answer may have been missed while disconnected.
    const { window, chat } = store.getState();
    if (window === 'cursor' || chat.conversation !== undefined) void readConversation();
  });
  closeCaptureWithTalk({ store, capture, actions });
  capture.subscribe(() => {
    const before = store.getState().capture.state;
    store.setState({ capture: capture.view() });
    // Camera names are available once a camera is open.
    if (before !== 'open' && capture.view().state === 'open') void actions.refreshCameras();
  });
  return {
    shows: 'talk',
    store,
    actions,
    levels,
    clipLevels,
    microphoneLevels: meter,
    now,
    request: bridge.request,
    listen: (listener) => listeners.add(listener),
  };
}

export const AppReactContext = createContext<AppContext | undefined>(undefined);

export function useAppContext(): AppContext {
  const app = use(AppReactContext);
  if (app === undefined) throw new Error('A screen was rendered outside AppReactContext.');
  return app;
}

export function useActions(): Actions {
  return useAppContext().actions;
}

/** Selects a part of the UI state. It must not create objects, or every change renders. */
export function useUiState<Part>(selector: (view: UiState) => Part): Part {
  const { store } = useAppContext();
  const snapshot = (): Part => selector(store.getState());
  return useSyncExternalStore(store.subscribe, snapshot, snapshot);
}
