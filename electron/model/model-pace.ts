import { appError } from '../../shared/errors/app-error.ts';
import { maxVoiceStepMs, type ModelPace } from '../../shared/model/local-model-state.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import { quantile } from '../../shared/statistics.ts';

/** Number of steps from which a pace is judged. */
export const pacedSteps = 10;
/** A step with a picture takes about this much longer than one without. */
const pictureMs = 200;
/** A step that takes at most this long leaves time for a picture. */
export const quickStepMs = 700;

/** The pace by the first ten of these steps; undefined if there are fewer. */
export function judgePace(stepMs: readonly number[]): ModelPace | undefined {
  return stepMs.length < pacedSteps ? undefined : judgeSteps(stepMs.slice(0, pacedSteps));
}

export function judgeSteps(stepMs: readonly number[]): ModelPace {
  return paceOf(Math.round(quantile(stepMs, 0.5)), Math.round(quantile(stepMs, 0.9)));
}

export function paceOf(medianMs: number, p90Ms: number): ModelPace {
  const verdict =
    p90Ms > maxVoiceStepMs ? 'chatOnly' : p90Ms > quickStepMs ? 'fewPictures' : 'voice';
  return { medianMs, p90Ms, verdict };
}

/** The time that the step would have taken without its picture, so that all steps can be compared. */
export function withoutPicture(stepMs: number, hasPicture: boolean): number {
  return hasPicture ? Math.max(0, stepMs - pictureMs) : stepMs;
}

/** The pause between pictures for a model that has no time for one in each step. */
const fewPicturesMs = 2000;

/** The shortest pause between the pictures of a talk. */
export function minPauseOf(pace: ModelPace | undefined): number {
  return pace === undefined || pace.verdict === 'voice' ? 0 : fewPicturesMs;
}

/** Refuses talks, with an error for the user, while the model is too slow for them. Chats pass. */
export function refuseSlowTalks(
  sockets: Sockets,
  pace: () => ModelPace | undefined,
  onRefused: () => void = () => undefined,
): Sockets {
  return {
    connect: (mode, listener) => {
      const currentPace = pace();
      if (mode === 'chat' || currentPace?.verdict !== 'chatOnly')
        return sockets.connect(mode, listener);
      onRefused();
      const error = appError('modelTooSlow', { p90Ms: currentPace.p90Ms, limitMs: maxVoiceStepMs });
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
