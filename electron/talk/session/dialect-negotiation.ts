import { wireReason } from '../../../shared/errors/app-error.ts';
import type {
  ConfigureEvent,
  SessionSettings,
  VoiceForm,
  DialectName,
} from '../../../shared/protocol/realtime-api.ts';
import {
  type ConfiguringState,
  type ConnectingState,
  type DialectRefusal,
  type Effect,
  enterPhase,
  type SessionContext,
  startTimer,
  type Transition,
  transitionTo,
} from './session-state.ts';
import { closeConnection } from './session-closing.ts';
import {
  createdTimeoutMs,
  handOverBackoffMs,
  handOverJitterMs,
  legacyChatTimeoutMs,
  maxConfigures,
  openTimeoutMs,
  otherDialectTimeoutMs,
} from './session-timing.ts';

export function configure(context: SessionContext, at: number): Transition {
  const { state, effects } = configureNow(context, at);
  return enterPhase(state, ...effects);
}

function configureNow(before: SessionContext, at: number) {
  const context: SessionContext = { ...before, configures: before.configures + 1 };
  const state: ConfiguringState = { phase: 'configuring', context, since: at };
  const { dialect } = context;
  const timeoutMs = configureTimeoutMs(context);
  return {
    state,
    effects: [
      { do: 'send', message: configureEvent(context), dialect },
      startTimer('created', timeoutMs),
    ] as const,
  };
}

function configureTimeoutMs(context: SessionContext): number {
  if (mayLackChat(context))
    return context.remembered === 'legacy' ? legacyChatTimeoutMs : otherDialectTimeoutMs;
  return otherDialect(context) === undefined ? createdTimeoutMs : otherDialectTimeoutMs;
}

/** Whether a chat's server may be a legacy one without chat; only some of those refuse a chat. */
export function mayLackChat({ mode, forced, remembered }: SessionContext): boolean {
  return mode === 'chat' && !forced && remembered !== 'unified';
}

/** The dialect was refused: tries the other one, or ends the session. */
export function tryOtherDialect(
  context: SessionContext,
  refusal: Omit<DialectRefusal, 'dialect'>,
  next: { readonly on: 'sameConnection'; readonly at: number } | { readonly on: 'newConnection' },
): Transition {
  const refusals = [...context.refusals, { ...refusal, dialect: context.dialect }];
  const other = otherDialect(context);
  if (other === undefined) return closeConnection(bestRefusal(refusals).ending);
  const changed: SessionContext = { ...context, refusals, dialect: other };
  if (next.on === 'newConnection') return reconnectAtOnce(changed);
  const { state, effects } = configureNow(changed, next.at);
  return transitionTo(state, ...effects);
}

/**
 * The dialect to try next; undefined if none is left. A dialect that the user configured and the one of a chat never
 * change. A dialect that the server refused with a message is not tried again; one that it met with silence is, after
 * the other.
 */
export function otherDialect(context: SessionContext): DialectName | undefined {
  const { forced, mode, dialect, configures, refusals } = context;
  if (forced || mode === 'chat' || configures >= maxConfigures) return undefined;
  const other = dialect === 'unified' ? 'legacy' : 'unified';
  // The dialects alternate over at most three tries, so all earlier refusals concern the other dialect.
  const refused = refusals.some(({ silent }) => !silent);
  return refused ? undefined : other;
}

/**
 * Prefers a message to silence, except for `unknown_event`, which only says that the server speaks the other dialect. If the
 * server stayed silent in the other dialect, that silence is the fault.
 */
function bestRefusal(refusals: readonly DialectRefusal[]): DialectRefusal {
  const specific = refusals.find(
    ({ silent, ending }) => !silent && wireReason(ending.error) !== 'unknown_event',
  );
  return specific ?? refusals.find(({ silent }) => silent) ?? (refusals.at(-1) as DialectRefusal);
}

function configureEvent(context: SessionContext): ConfigureEvent {
  const settings = settingsForDialect(context);
  const voiceForm = context.voiceForm ?? observedVoiceForm(context);
  const needed = context.dialect === 'legacy' && settings.voice !== undefined;
  return { kind: 'configure', settings, ...(needed && { voiceForm }) };
}

function settingsForDialect(context: SessionContext): SessionSettings {
  const { mode, dialect, settings } = context;
  if (mode === 'chat') return {};
  const { maxSlices, tools, ...rest } = settings;
  if (sendsTools(context)) return { ...rest, tools };
  return mode === 'video' && dialect === 'legacy' ? { ...rest, maxSlices } : rest;
}

/** A server that does not announce tools may refuse a session that has some. */
export function sendsTools({ mode, dialect, settings, takesTools }: SessionContext): boolean {
  return (
    takesTools && mode !== 'chat' && dialect === 'unified' && (settings.tools ?? []).length > 0
  );
}

interface Attempt {
  readonly state: ConnectingState;
  readonly effects: readonly Effect[];
}

export function connectAttempt(context: SessionContext): Attempt {
  return {
    state: { phase: 'connecting', context, stage: 'opening' },
    effects: [{ do: 'connect' }, startTimer('opening', openTimeoutMs)],
  };
}

/** Opens a new connection, because the server closed or ignored the one with the other dialect. */
function reconnectAtOnce(context: SessionContext): Transition {
  const { state, effects } = connectAttempt(context);
  return enterPhase(state, { do: 'terminate' }, ...effects);
}

/** Opens a new connection after a backoff, when the worker should be free again. */
export function reconnectAfterBackoff(context: SessionContext): Transition {
  const failedHandOvers = context.failedHandOvers + 1;
  return enterPhase(
    { phase: 'connecting', context: { ...context, failedHandOvers }, stage: 'backoff' },
    { do: 'terminate' },
    {
      do: 'timer',
      name: 'retry',
      ms: handOverBackoffMs * 2 ** (failedHandOvers - 1),
      spreadMs: handOverJitterMs,
    },
  );
}

/**
 * The form of voice that a legacy server reads, judged by its answer to an init of the unified dialect: deployed
 * servers stay silent and read float32, documented ones refuse the init and read WAV.
 */
export function observedVoiceForm({
  dialect,
  refusals,
}: Pick<SessionContext, 'dialect' | 'refusals'>): VoiceForm | undefined {
  if (dialect !== 'legacy') return undefined;
  const init = refusals.find((refusal) => refusal.dialect === 'unified');
  if (init === undefined) return undefined;
  return init.silent ? 'float32' : 'wav';
}
