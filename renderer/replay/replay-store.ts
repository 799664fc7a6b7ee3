import type { AppError } from '../../shared/errors/app-error.ts';
import { type ReplayedNotice, sceneAfter } from '../../shared/recordings/replay-scene.ts';
import {
  type OpenReplay,
  type ReplayOrigin,
  type ReplaySource,
  replaySpeeds,
  type ReplaySpeedStep,
  type ReplayStop,
  type ReplayView,
} from '../../shared/recordings/replay-view.ts';
import type { Ask, OrderedBridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';

export function openReplayOf({ replay }: Pick<UiState, 'replay'>): OpenReplay | undefined {
  return replay.kind === 'open' ? replay : undefined;
}

/** A cursor at the end stands within this of it: sound comes in blocks. */
const edgeMs = 60;

export function isAtEnd({ play, timeline }: Pick<OpenReplay, 'play' | 'timeline'>): boolean {
  return timeline.lengthMs > 0 && play.at >= timeline.lengthMs - edgeMs;
}

interface Deps {
  readonly store: Store<UiState>;
  readonly bridge: OrderedBridge;
  /** A request whose failure is said on the screen. */
  readonly ask: Ask;
}

/** What a person can do with a replay. */
export function createReplayActions({ store, bridge, ask }: Deps) {
  const { getState, setState } = store;
  /** Where the cursor is wanted while the core is still on its way to an earlier wish. */
  let wanted: number | undefined;

  const open = (): OpenReplay | undefined => openReplayOf(getState());

  /** A hand that drags wishes faster than the core goes: of what it wished meanwhile only the newest counts. */
  const seek = async (at: number): Promise<void> => {
    const length = open()?.timeline.lengthMs ?? 0;
    const goes = wanted !== undefined;
    wanted = Math.round(Math.min(length, Math.max(0, at)));
    if (goes) return;
    for (let asked: number | undefined; asked !== wanted;) {
      asked = wanted;
      await ask('seekReplay', { at: asked });
    }
    wanted = undefined;
  };
  const change = (part: Partial<OpenReplay['scene']>): void => {
    const replay = open();
    if (replay !== undefined)
      setState({ replay: { ...replay, scene: { ...replay.scene, ...part } } });
  };
  /** What cannot be opened says so in the place where it would have been. */
  const opened = async (
    origin: ReplayOrigin,
    reply: { readonly ok: true } | { readonly ok: false; readonly error: AppError },
  ): Promise<void> => {
    if (reply.ok) await ask('playReplay', undefined);
    else setState(applyReplayChanged(getState(), { kind: 'failed', origin, error: reply.error }));
  };
  const setSpeed = (speed: ReplaySpeedStep) => ask('setReplaySpeed', { speed });

  return {
    readReplay: () =>
      bridge.read('replay', (replay) => setState(applyReplaySnapshot(getState(), replay))),
    /** And plays it. */
    open: async (source: ReplaySource): Promise<void> => {
      setState(applyReplayChanged(getState(), { kind: 'opening', origin: source }));
      await opened(source, await bridge.request('openReplay', source));
    },
    /** Whether what is dropped on the page can be opened: in a browser nobody knows where it lies. */
    dropsOpen: bridge.openDropped !== undefined,
    openDropped: async (file: File): Promise<void> => {
      const reply = await bridge.openDropped?.(file);
      if (reply !== undefined) await opened({ kind: 'file', name: file.name }, reply);
    },
    close: async (): Promise<void> => {
      await ask('closeReplay', undefined);
      // One that failed for this page is none to the core, which has nothing to tell of it.
      setState(applyReplayChanged(getState(), { kind: 'none' }));
    },
    toggle: () => ask(open()?.play.playing === true ? 'pauseReplay' : 'playReplay', undefined),
    pause: async (): Promise<void> => {
      if (open()?.play.playing === true) await ask('pauseReplay', undefined);
    },
    seek,
    /** From where the cursor is, or is about to be. */
    seekBy: (ms: number) => seek((wanted ?? open()?.play.at ?? 0) + ms),
    seekWord: (turn: number, letter: number) => ask('seekReplayWord', { turn, letter }),
    step: (way: 'next' | 'previous') => ask('stepReplay', { to: getState().replayStop, way }),
    setStop: (replayStop: ReplayStop) => setState({ replayStop }),
    setSpeed,
    speedBy: async (steps: 1 | -1): Promise<void> => {
      const at = replaySpeeds.indexOf(open()?.play.speed ?? 1);
      const speed = replaySpeeds[at + steps];
      if (speed !== undefined) await setSpeed(speed);
    },
    /** Nothing where it cannot be had: a picture that is missing is no trouble of its own. */
    picture: async (picture: number): Promise<Uint8Array | undefined> => {
      const reply = await bridge.request('replayPicture', { picture });
      return reply.ok ? reply.value.jpeg : undefined;
    },
    dismissTrouble: (trouble: AppError) =>
      change({ troubles: open()?.scene.troubles.filter((one) => one !== trouble) ?? [] }),
    dismissWarning: () => change({ warning: undefined }),
  };
}

type WithScreen = Pick<UiState, 'screen' | 'replay' | 'replayFrom'>;

/**
 * A replay that begins to open is shown at once, wherever the person is; one that is closed leads back there. Whoever
 * has gone elsewhere meanwhile stays there.
 */
export function applyReplayChanged(view: WithScreen, replay: ReplayView): Partial<WithScreen> {
  if (replay.kind === 'none') return { replay, ...screenAfter(view) };
  const begins = view.replay.kind === 'none' || replay.kind === 'opening';
  return begins ? { replay, ...shown(view) } : { replay };
}

/** As it stands for a page that comes to it: one that was away looks at what it looked at before. */
function applyReplaySnapshot(view: WithScreen, replay: ReplayView): Partial<WithScreen> {
  return replay.kind === 'none' ? { replay, ...screenAfter(view) } : { replay };
}

function shown({ screen }: WithScreen): Partial<WithScreen> {
  if (screen === 'replay') return {};
  return { screen: 'replay', replayFrom: screen };
}

function screenAfter({ screen, replayFrom }: WithScreen): Partial<WithScreen> {
  return screen === 'replay' ? { screen: replayFrom } : {};
}

type WithReplay = Pick<UiState, 'replay'>;

/** What is told of a replay that is not open any more changes nothing. */
export function withOpenReplay(
  { replay }: WithReplay,
  change: (open: OpenReplay) => Partial<OpenReplay>,
): Partial<WithReplay> {
  return replay.kind === 'open' ? { replay: { ...replay, ...change(replay) } } : {};
}

/** What the page got in the talk, by the very fold that a jump is made with. */
export function applyReplayed(
  view: WithReplay,
  notices: readonly ReplayedNotice[],
): Partial<WithReplay> {
  return withOpenReplay(view, ({ scene }) => ({ scene: notices.reduce(sceneAfter, scene) }));
}
