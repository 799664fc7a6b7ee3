import { reasonOf } from '../../../shared/errors/session-reasons.ts';
import type {
  ConfigureEvent,
  SessionSettings,
  VoiceForm,
} from '../../../shared/protocol/client-event.ts';
import type { DialectName } from '../../../shared/protocol/realtime-api.ts';
import { type Effect, enterPhase, startTimer, type Transition, transitionTo } from './effect.ts';
import { closeConnection } from './session-closing.ts';
import type {
  ConfiguringState,
  ConnectingState,
  DialectRefusal,
  SessionContext,
} from './session-state.ts';
import {
  createdTimeoutMs,
  handOverBackoffMs,
  handOverJitterMs,
  legacyChatTimeoutMs,
  maxConfigures,
  openTimeoutMs,
  otherDialectTimeoutMs,
} from './session-timeouts.ts';

/** Once admitted, says what the session is to be like, in the dialect whose turn it is. */
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
      { do: 'send', ask: configureEvent(context), dialect },
      startTimer('created', timeoutMs),
    ] as const,
  };
}

function configureTimeoutMs(context: SessionContext): number {
  if (mayLackChat(context))
    return context.remembered === 'legacy' ? legacyChatTimeoutMs : otherDialectTimeoutMs;
  return otherDialect(context) === undefined ? createdTimeoutMs : otherDialectTimeoutMs;
}

/** Whether the server may be one of the legacy dialect, of which only some say so. */
export function mayLackChat({ mode, forced, remembered }: SessionContext): boolean {
  return mode === 'chat' && !forced && remembered !== 'unified';
}

/** The dialect did not lead to a session: the other one is tried, or the session ends. */
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
 * A forced dialect is never left, and chat exists in one only. A dialect that was refused in words
 * is not tried again; one that met silence is, once the other has been tried.
 */
export function otherDialect(context: SessionContext): DialectName | undefined {
  const { forced, mode, dialect, configures, refusals } = context;
  if (forced || mode === 'chat' || configures >= maxConfigures) return undefined;
  const other = dialect === 'unified' ? 'legacy' : 'unified';
  const refused = refusals.some((refusal) => refusal.dialect === other && !refusal.silent);
  return refused ? undefined : other;
}

/** Words say more than silence, and anything says more than that an event is not known. */
function bestRefusal(refusals: readonly DialectRefusal[]): DialectRefusal {
  const spoken = refusals.filter(({ silent }) => !silent);
  const telling = spoken.find(({ ending }) => reasonOf(ending.error) !== 'unknown_event');
  const [first] = refusals;
  return telling ?? spoken.at(-1) ?? (first as DialectRefusal);
}

function configureEvent(context: SessionContext): ConfigureEvent {
  const settings = settingsForDialect(context);
  const voiceForm = context.voiceForm ?? shownVoiceForm(context);
  const needed = context.dialect === 'legacy' && settings.voice !== undefined;
  return { kind: 'configure', settings, ...(needed && voiceForm !== undefined && { voiceForm }) };
}

/** What of the settings this mode and dialect know: the documents give each its own fields. */
function settingsForDialect({ mode, dialect, settings }: SessionContext): SessionSettings {
  if (mode === 'chat') return {};
  const { maxSlices, ...rest } = settings;
  return mode === 'video' && dialect === 'legacy' ? { ...rest, maxSlices } : rest;
}

interface Attempt {
  readonly state: ConnectingState;
  readonly effects: readonly Effect[];
}

/** One try to connect, in the dialect that is up. */
export function connectAttempt(context: SessionContext): Attempt {
  return {
    state: { phase: 'connecting', context, stage: 'opening' },
    effects: [{ do: 'connect' }, startTimer('opening', openTimeoutMs)],
  };
}

/** A fresh connection, for a dialect that must not follow the other one on the same. */
function reconnectAtOnce(context: SessionContext): Transition {
  const { state, effects } = connectAttempt(context);
  return enterPhase(state, { do: 'terminate' }, ...effects);
}

/** A fresh connection after a backoff: the worker that could not be had is free again soon. */
export function reconnectAfterBackoff(context: SessionContext): Transition {
  const handOvers = context.handOvers + 1;
  return enterPhase(
    { phase: 'connecting', context: { ...context, handOvers }, stage: 'backoff' },
    { do: 'terminate' },
    {
      do: 'timer',
      name: 'retry',
      ms: handOverBackoffMs * 2 ** (handOvers - 1),
      spreadMs: handOverJitterMs,
    },
  );
}

/**
 * How a server of the legacy dialect reads a reference voice, as far as it has shown: deployed ones are silent on
 * an init of the other dialect, and read float32; those that refuse it in words are as documented, and read WAV.
 */
export function shownVoiceForm({
  dialect,
  refusals,
}: Pick<SessionContext, 'dialect' | 'refusals'>): VoiceForm | undefined {
  if (dialect !== 'legacy') return undefined;
  const init = refusals.find((refusal) => refusal.dialect === 'unified');
  if (init === undefined) return undefined;
  return init.silent ? 'float32' : 'wav';
}
