import type { AppError } from '../../../shared/errors/app-error.ts';
import { replaySpeeds } from '../../../shared/replay/replay-view.ts';
import type {
  OpenReplay,
  ReplaySource,
  ReplaySpeedStep,
  ReplayStop,
} from '../../../shared/replay/replay-view.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import type { OrderedBridge } from '../../bridge/ordered-bridge.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';
import { applyReplayChanged, applyReplaySnapshot } from './show-replay.ts';

interface Deps {
  readonly store: Store<UiState>;
  readonly bridge: OrderedBridge;
  /** A request whose failure is said on the screen. */
  readonly ask: (...request: Parameters<Bridge['request']>) => Promise<void>;
}

/** What a person can do with a replay. */
export function createReplayActions({ store, bridge, ask }: Deps) {
  const { getState, setState } = store;
  /** Where the cursor is wanted while the core is still on its way to an earlier wish. */
  let wanted: number | undefined;

  const open = (): OpenReplay | undefined => {
    const { replay } = getState();
    return replay.kind === 'open' ? replay : undefined;
  };

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
  const setSpeed = (speed: ReplaySpeedStep): Promise<void> => ask('setReplaySpeed', { speed });

  return {
    readReplay: () =>
      bridge.read('replay', (replay) => {
        setState(applyReplaySnapshot(getState(), replay));
      }),
    /** And plays it. What cannot be opened says so in the place where it would have been. */
    open: async (source: ReplaySource): Promise<void> => {
      setState(applyReplayChanged(getState(), { kind: 'opening', origin: source }));
      const reply = await bridge.request('openReplay', source);
      if (reply.ok) {
        await ask('playReplay', undefined);
        return;
      }
      const failed = { kind: 'failed', origin: source, error: reply.error } as const;
      setState(applyReplayChanged(getState(), failed));
    },
    /** Whether what is dropped on the page can be opened: in a browser nobody knows where it lies. */
    dropsOpen: bridge.openDropped !== undefined,
    openDropped: async (file: File): Promise<void> => {
      const reply = await bridge.openDropped?.(file);
      if (reply === undefined) return;
      if (reply.ok) {
        await ask('playReplay', undefined);
        return;
      }
      const origin = { kind: 'file', name: file.name } as const;
      setState(applyReplayChanged(getState(), { kind: 'failed', origin, error: reply.error }));
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
    setStop: (replayStop: ReplayStop) => {
      setState({ replayStop });
    },
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
    dismissTrouble: (trouble: AppError) => {
      change({ troubles: open()?.scene.troubles.filter((one) => one !== trouble) ?? [] });
    },
    dismissWarning: () => {
      change({ warning: undefined });
    },
  };
}
