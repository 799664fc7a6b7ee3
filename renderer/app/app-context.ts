import { Listeners } from '../../shared/listeners.ts';
import type { CaptionPatch } from '../../shared/talk/caption-patch.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import type { PageCapture } from '../capture/capture-controller.ts';
import { closeCaptureWithTalk } from '../capture/vision-actions.ts';
import { currentVisionSettings } from '../capture/vision-ui-state.ts';
import { patchTurns } from '../talk/talk-ui-state.ts';
import { type Actions, createActions } from './actions.ts';
import { applyNotice, applyTalkSnapshot } from './apply-notice.ts';
import { NoticePace } from './bridge/notice-pace.ts';
import {
  type Bridge,
  type BridgeNotice,
  type OrderedBridge,
  orderReplies,
} from './bridge/ordered-bridge.ts';
import { type ClipLevel, createStore, type Store } from './store.ts';
import { allNativeParts, initialUiState, type UiState } from './ui-state.ts';

/** What every screen is given. */
export interface AppContext {
  /** Which of the two talks it is about: the one that goes on, or the one that is played again. */
  readonly shows: 'talk' | 'replay';
  readonly store: Store<UiState>;
  readonly actions: Actions;
  /** Levels come forty times a second: they go straight to what paints them, past the store and React. */
  readonly levels: Listeners<TalkLevel>;
  /** All notices of the core, for those who need more of them than the UI state holds. */
  readonly listen: (listener: (notice: BridgeNotice) => void) => () => void;
  readonly request: Bridge['request'];
  /** Of a microphone outside a talk: how loud it is, in dBFS. */
  readonly microphoneLevels: Listeners<MeterLevel>;
  /** Of a clip that is being recorded for a message. */
  readonly clipLevels: Listeners<ClipLevel>;
  /** The page's clock, in milliseconds. */
  readonly now: () => number;
}

export interface MeterLevel {
  readonly rmsDb: number;
  readonly peakDb: number;
}

interface AppContextDeps {
  readonly bridge: Bridge;
  readonly capture: PageCapture;
  readonly now: () => number;
  /** Where it is given, notices are taken by frame and beat ({@link NoticePace}); else each as it comes. */
  readonly pace?: Pick<ConstructorParameters<typeof NoticePace>[0], 'nextFrame' | 'nextBeat'>;
  readonly initialState?: Partial<UiState>;
}

/** The UI state, changed only by what comes over the bridge and by what the person does. */
export function createAppContext({
  bridge: anyBridge,
  capture,
  now,
  pace: paceDeps,
  initialState,
}: AppContextDeps): AppContext {
  const ordered = orderReplies(anyBridge);
  const pace =
    paceDeps === undefined ? undefined : new NoticePace({ apply: takeNotices, now, ...paceDeps });
  const bridge: OrderedBridge = {
    ...ordered,
    read: (name, apply) =>
      ordered.read(name, (value) => {
        // What waits was posted before this was made.
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

  /** Rate, detail and camera apply at once, wherever they were changed. */
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
  }

  async function readSettings(): Promise<void> {
    const reply = await bridge.read('settings', ({ settings, problems }) => {
      store.setState({ settings, problem: problems.at(-1) ?? store.getState().problem });
      followSettings();
    });
    if (!reply.ok) store.setState({ problem: reply.error });
  }

  /** Words come in thousands where a server makes thousands of turns: they are put to their places together. */
  function takeNotices(notices: readonly BridgeNotice[]): void {
    let patches: CaptionPatch[] = [];
    const putCaptions = (): void => {
      if (patches.length === 0) return;
      const { captions } = store.getState();
      // A server that only listened does answer now.
      store.setState({ captions: patchTurns(captions, patches), onlyListening: undefined });
      patches = [];
    };
    for (const notice of notices) {
      if (notice.name === 'caption') {
        patches.push(notice.payload);
        continue;
      }
      // It begins without words, or tells of the time after them; to anything else they are nothing.
      if (notice.name === 'talkBegan' || notice.name === 'talkOnlyListens') putCaptions();
      takeNotice(notice);
    }
    putCaptions();
  }

  function takeNotice(notice: BridgeNotice): void {
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
    if (!stale && part.chat?.stale === true) void actions.chat.read();
    if (notice.name === 'settingsChanged') followSettings();
    listeners.emit(notice);
  }

  bridge.onNotice((notice) => {
    if (pace === undefined) takeNotices([notice]);
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
    // It may be another core: what the last one loaded says nothing of it.
    store.setState({ parts: allNativeParts('unasked') });
    void readAbout();
    void readSettings();
    void readTalk();
    // A page that has been away may have missed a part of an answer.
    if (store.getState().chat.conversation !== undefined) void actions.chat.read();
  });
  closeCaptureWithTalk({ store, capture, actions });
  capture.subscribe(() => {
    const before = store.getState().capture.state;
    store.setState({ capture: capture.view() });
    // The names of cameras are known from then on.
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
