import {
  LimitWarnings,
  type LimitWarningsOptions,
} from '../../../../../electron/talk/policies/limit-warnings.ts';
import type { TalkLimits, TalkWarning } from '../../../../../shared/talk/talk-state.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

/** LimitWarnings with a record of what they emitted, and when. */
export function limitsScene(options: Partial<LimitWarningsOptions> = {}) {
  const clock = new FakeClock();
  const warned: string[] = [];
  const emitted: { readonly at: number; readonly left: TalkLimits }[] = [];
  const limits = new LimitWarnings({
    clock,
    mode: 'audio',
    onChange: (left) => {
      emitted.push({ at: clock.now(), left });
    },
    onWarning: ({ limit, threshold }: TalkWarning) => {
      warned.push(`${limit} ${threshold} at ${Math.round(clock.now() / 1000)}`);
    },
    ...options,
  });
  const enter = (...phases: readonly Parameters<LimitWarnings['onPhase']>[0][]) => {
    for (const phase of phases) limits.onPhase(phase);
  };
  const steps = (count: number, tokens: (step: number) => number) => {
    for (let step = 0; step < count; step += 1) {
      clock.advance(1000);
      limits.onUsage(tokens(step));
    }
  };
  return { clock, limits, warned, emitted, enter, steps };
}
