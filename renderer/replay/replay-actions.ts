import type { AppError } from '../../shared/errors/app-error.ts';
import {
  sceneAfter,
  replaySpeeds,
  type ReplayedNotice,
  type OpenReplay,
  type ReplayOrigin,
  type ReplaySource,
  type ReplaySpeedStep,
  type ReplayStop,
  type ReplayView,
} from '../../shared/recordings/replay-view.ts';
import type { Ask, OrderedBridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import { isTalkRunning, type UiState } from '../app/ui-state.ts';

export function selectOpenReplay({ replay }: Pick<UiState, 'replay'>): OpenReplay | undefined {
  return replay.kind === 'open' ? replay : undefined;
}

/** Sound comes in blocks, so a cursor within this distance counts as at the end. */
const endMarginMs = 60;

export function isAtEnd({ play, timeline }: Pick<OpenReplay, 'play' | 'timeline'>): boolean {
  return timeline.lengthMs > 0 && play.at >= timeline.lengthMs - endMarginMs;
}

interface Deps {
  readonly store: Store<UiState>;
  readonly bridge: OrderedBridge;
  readonly ask: Ask;
}

export function createReplayActions({ store, bridge, ask }: Deps) {
  const { getState, setState } = store;
  /** The newest seek target while an earlier seek request is pending. */
  let pendingSeek: number | undefined;
  /** Rises when a recording is opened or closed. The reply to an earlier opening is ignored. */
  let openings = 0;

  const open = (): OpenReplay | undefined => selectOpenReplay(getState());

  /** Dragging produces targets faster than the core seeks, so only the newest one is sent next. */
  const seek = async (at: number): Promise<void> => {
    const length = open()?.timeline.lengthMs ?? 0;
    const isSeeking = pendingSeek !== undefined;
    // The end is not rounded, because the talk's last state may begin right there.
    pendingSeek = at >= length ? length : Math.round(Math.max(0, at));
    if (isSeeking) return;
    for (let sent: number | undefined; sent !== pendingSeek;) {
      sent = pendingSeek;
      await ask('seekReplay', { at: sent });
    }
    pendingSeek = undefined;
  };
  const change = (part: Partial<OpenReplay['scene']>): void => {
    const replay = open();
    if (replay !== undefined)
      setState({ replay: { ...replay, scene: { ...replay.scene, ...part } } });
  };
  /**
   * Plays the recording once it is open, or shows why it cannot be opened. During a talk it stays paused, as the Replay
   * screen says.
   */
  const playOpened = async (
    origin: ReplayOrigin,
    opening: Promise<{ readonly ok: true } | { readonly ok: false; readonly error: AppError }>,
  ): Promise<void> => {
    openings += 1;
    const ownId = openings;
    const reply = await opening;
    if (ownId !== openings) return;
    if (reply.ok) {
      if (!isTalkRunning(getState())) await ask('playReplay', undefined);
    } else setState(applyReplayChanged(getState(), { kind: 'failed', origin, error: reply.error }));
  };
  const setSpeed = (speed: ReplaySpeedStep) => ask('setReplaySpeed', { speed });

  return {
    readReplay: () =>
      bridge.read('replay', (replay) => setState(applyReplaySnapshot(getState(), replay))),
    open: async (source: ReplaySource): Promise<void> => {
      setState(applyReplayChanged(getState(), { kind: 'opening', origin: source }));
      await playOpened(source, bridge.request('openReplay', source));
    },
    /** Whether dropped files can be opened. Browsers hide the path of a dropped file. */
    dropsOpen: bridge.openDropped !== undefined,
    openDropped: async (file: File): Promise<void> => {
      const { openDropped } = bridge;
      if (openDropped === undefined) return;
      // The core closes the open recording only if the file has a path.
      if (open()?.play.playing === true) await ask('pauseReplay', undefined);
      const origin = { kind: 'file', name: file.name } as const;
      setState(applyReplayChanged(getState(), { kind: 'opening', origin }));
      await playOpened(origin, openDropped(file));
    },
    close: async (): Promise<void> => {
      openings += 1;
      await ask('closeReplay', undefined);
      // A replay that this page failed to open exists only here, so the core sends no notice.
      setState(applyReplayChanged(getState(), { kind: 'none' }));
    },
    toggle: () => ask(open()?.play.playing === true ? 'pauseReplay' : 'playReplay', undefined),
    pause: async (): Promise<void> => {
      if (open()?.play.playing === true) await ask('pauseReplay', undefined);
    },
    seek,
    seekBy: (ms: number) => seek((pendingSeek ?? open()?.play.at ?? 0) + ms),
    seekWord: (turn: number, offset: number) => ask('seekReplayWord', { turn, letter: offset }),
    step: (direction: 'next' | 'previous') =>
      ask('stepReplay', { to: getState().replayStop, way: direction }),
    setStop: (replayStop: ReplayStop) => setState({ replayStop }),
    setSpeed,
    speedBy: async (steps: 1 | -1): Promise<void> => {
      const at = replaySpeeds.indexOf(open()?.play.speed ?? 1);
      const speed = replaySpeeds[at + steps];
      if (speed !== undefined) await setSpeed(speed);
    },
    /** Resolves undefined if the picture is missing; that is not reported as an error. */
    picture: async (picture: number): Promise<Uint8Array | undefined> => {
      const reply = await bridge.request('replayPicture', { picture });
      return reply.ok ? reply.value.jpeg : undefined;
    },
    dismissTrouble: (trouble: AppError) =>
      change({ troubles: open()?.scene.troubles.filter((other) => other !== trouble) ?? [] }),
    dismissWarning: () => change({ warning: undefined }),
  };
}

type WithScreen = Pick<UiState, 'screen' | 'replay' | 'replayFrom'>;

/** A user who left the replay screen meanwhile stays where they are. */
export function applyReplayChanged(view: WithScreen, replay: ReplayView): Partial<WithScreen> {
  if (replay.kind === 'none') return { replay, ...screenAfterReplay(view) };
  const isOpening = view.replay.kind === 'none' || replay.kind === 'opening';
  return isOpening ? { replay, ...replayScreen(view) } : { replay };
}

/** Applies the state for a page that just connected. The page keeps its screen, unless it shows a replay that is gone. */
function applyReplaySnapshot(view: WithScreen, replay: ReplayView): Partial<WithScreen> {
  return replay.kind === 'none' ? { replay, ...screenAfterReplay(view) } : { replay };
}

function replayScreen({ screen }: WithScreen): Partial<WithScreen> {
  if (screen === 'replay') return {};
  return { screen: 'replay', replayFrom: screen };
}

function screenAfterReplay({ screen, replayFrom }: WithScreen): Partial<WithScreen> {
  return screen === 'replay' ? { screen: replayFrom } : {};
}

type WithReplay = Pick<UiState, 'replay'>;

/** Ignores late notices for a replay that is no longer open. */
export function withOpenReplay(
  { replay }: WithReplay,
  change: (open: OpenReplay) => Partial<OpenReplay>,
): Partial<WithReplay> {
  return replay.kind === 'open' ? { replay: { ...replay, ...change(replay) } } : {};
}

/** Applies the talk's notices to the scene, with the same function that builds the scene of a seek. */
export function applyReplayedNotices(
  view: WithReplay,
  notices: readonly ReplayedNotice[],
): Partial<WithReplay> {
  return withOpenReplay(view, ({ scene }) => ({ scene: notices.reduce(sceneAfter, scene) }));
}
