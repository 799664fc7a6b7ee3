import { enter, timer, to } from './effect.ts';
import type { Transition } from './effect.ts';
import { hangUp } from './leaving.ts';
import { reconnect } from './reconnect.ts';
import { settingsFor } from './settings-for.ts';
import type { Configuring, Course, Refusal } from './state.ts';
import type { DialectName } from '../../shared/protocol/names.ts';
import { createdWithinMs, mostConfigures, otherDialectAfterMs } from './timings.ts';

/** Admitted: says what the session is to be like, in the dialect it is the turn of. */
export function configure(course: Course, at: number): Transition {
  const { state, effects } = configureNow(course, at);
  return enter(state, ...effects);
}

function configureNow(before: Course, at: number) {
  const course: Course = { ...before, configures: before.configures + 1 };
  const state: Configuring = { phase: 'configuring', course, since: at };
  const { dialect } = course;
  const patience = otherDialect(course) === undefined ? createdWithinMs : otherDialectAfterMs;
  return {
    state,
    effects: [
      { do: 'send', ask: { kind: 'configure', settings: settingsFor(course) }, dialect },
      timer('created', patience),
    ] as const,
  };
}

/** The dialect did not lead to a session: the other one is tried, or the session ends. */
export function tryOther(
  course: Course,
  refusal: Omit<Refusal, 'dialect'>,
  next: { readonly on: 'sameLine'; readonly at: number } | { readonly on: 'newLine' },
): Transition {
  const refusals = [...course.refusals, { ...refusal, dialect: course.dialect }];
  const other = otherDialect(course);
  if (other === undefined) return hangUp(mostTelling(refusals).ending);
  const changed: Course = { ...course, refusals, dialect: other };
  if (next.on === 'newLine') return reconnect(changed);
  const { state, effects } = configureNow(changed, next.at);
  return to(state, ...effects);
}

/**
 * A forced dialect is never left, and chat exists in one only. A dialect that was refused in words
 * is not tried again; one that met silence is, once the other has been tried.
 */
export function otherDialect(course: Course): DialectName | undefined {
  const { forced, mode, dialect, configures, refusals } = course;
  if (forced || mode === 'chat' || configures >= mostConfigures) return undefined;
  const other = dialect === 'unified' ? 'legacy' : 'unified';
  const refused = refusals.some((refusal) => refusal.dialect === other && !refusal.silent);
  return refused ? undefined : other;
}

/** Words say more than silence, and anything says more than that an event is not known. */
function mostTelling(refusals: readonly Refusal[]): Refusal {
  const spoken = refusals.filter(({ silent }) => !silent);
  const telling = spoken.find(({ ending }) => ending.reason !== 'unknown_event');
  const [first] = refusals;
  return telling ?? spoken.at(-1) ?? (first as Refusal);
}
