import type { Bridge } from '../../renderer/bridge/bridge.ts';
import type { CameraDevice } from '../../renderer/camera/media.ts';
import type { LevelFeed } from '../../renderer/store/levels.ts';
import type { Notice, RequestName } from '../../shared/ipc/contract.ts';
import { failure } from '../../shared/ipc/reply.ts';

/** A core that does nothing but remember, a camera of nobody, and a clock that stands. */
export function createStage(cameras: readonly CameraDevice[] = []) {
  const asked: { name: RequestName; input: unknown }[] = [];
  const listeners: ((notice: Notice) => void)[] = [];
  let standing: number | undefined = 0;
  const bridge: Bridge = {
    // Never answered: what is shown is what was given.
    request: (name, input) => {
      asked.push({ name, input });
      return new Promise((resolve) => {
        if (name === 'endTalk') resolve(failure('refused', 'There is no talk; start one first.'));
      });
    },
    onNotice: (hear) => {
      listeners.push(hear);
    },
    onConnection: () => undefined,
  };
  return {
    asked,
    bridge,
    eye: {
      view: () => ({ state: 'off' }) as const,
      subscribe: () => () => undefined,
      open: () => Promise.resolve(),
      close: () => Promise.resolve(),
      change: () => Promise.resolve(),
      follow: () => Promise.resolve(),
      setChunk: () => undefined,
      cameras: () => Promise.resolve(cameras),
      setPaused: () => undefined,
    },
    now: () => standing ?? performance.now(),
    startClock: () => {
      standing = undefined;
    },
    tell: (notice: Notice) => {
      for (const hear of listeners) hear(notice);
    },
    /** Two seconds of a voice that rises and falls like speech, up to now. */
    speak: (levels: LevelFeed, who: 'you' | 'parley' | 'both' | undefined) => {
      if (who === undefined || standing === undefined) return;
      const end = standing;
      for (let step = 40; step >= 0; step -= 1) {
        standing = end - step * 50;
        for (const one of who === 'both' ? (['you', 'parley'] as const) : [who]) {
          const level = swing(step + (one === 'you' ? 0 : 7));
          levels.tell({ who: one, rmsDb: level, peakDb: level + 9 });
        }
      }
      standing = end;
    },
  };
}

export type Stage = ReturnType<typeof createStage>;

function swing(step: number): number {
  const syllables = 0.5 + 0.5 * Math.sin(step * 0.95);
  const phrase = 0.55 + 0.45 * Math.sin(step * 0.21 + 1);
  return -44 + 30 * syllables * phrase;
}
