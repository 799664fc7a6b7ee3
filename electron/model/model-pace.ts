import { appError } from '../../shared/errors/app-error.ts';
import { maxVoiceStepMs, type ModelPace } from '../../shared/model/local-model.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';

/** Steps that are measured after loading. */
export const pacedSteps = 10;
/** A step with a picture takes about 0.2 s longer than one without. */
const maxPictureMs = 700;

/** Judges the times of the first steps; undefined until there are ten. */
export function judgePace(stepMs: readonly number[]): ModelPace | undefined {
  return stepMs.length < pacedSteps ? undefined : judgeSteps(stepMs.slice(0, pacedSteps));
}

/** Judges any number of steps. */
export function judgeSteps(stepMs: readonly number[]): ModelPace {
  const sorted = stepMs.toSorted((one, other) => one - other);
  const p90Ms = quantile(sorted, 0.9);
  return {
    medianMs: Math.round(quantile(sorted, 0.5)),
    p90Ms: Math.round(p90Ms),
    verdict: p90Ms > maxVoiceStepMs ? 'chatOnly' : p90Ms > maxPictureMs ? 'fewPictures' : 'voice',
  };
}

/** Pictures that a step has no time for would make every answer late. */
const fewPicturesMs = 2000;

/** The shortest pause between the pictures of a talk. */
export function minPauseMs(pace: ModelPace | undefined): number {
  return pace?.verdict === 'fewPictures' ? fewPicturesMs : 0;
}

/** Refuses talks in words while the model is too slow for them. Chats pass. */
export function refuseSlowTalks(sockets: Sockets, pace: () => ModelPace | undefined): Sockets {
  return {
    connect: (mode, listener) => {
      const now = pace();
      if (mode === 'chat' || now?.verdict !== 'chatOnly') return sockets.connect(mode, listener);
      const error = appError('modelTooSlow', { p90Ms: now.p90Ms, limitMs: maxVoiceStepMs });
      // A listener may not be called before its socket is returned.
      void endLater(() => listener.ended({ kind: 'unreachable', error, permanent: true }));
      return { send: () => undefined, close: () => undefined, terminate: () => undefined };
    },
  };
}

async function endLater(end: () => void): Promise<void> {
  await Promise.resolve();
  end();
}

/** The nearest rank. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
