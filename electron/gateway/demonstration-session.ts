import type { SessionSettings, Mode, Metrics } from '../../shared/protocol/realtime-api.ts';
import type { ConnectionContext } from './connection-context.ts';
import { openSessionModel, type SessionModel } from './duplex-model.ts';
import { applyStepFaults, type FaultTarget } from './gateway-faults.ts';
import { countTextTokens, openContextWindow, SessionUsage } from './context-window.ts';
import { type FaultStep, makeGatewayId } from './gateway-options.ts';

/** Tokens of the template around the prompt. */
const templateTokens = 20;

/** A session's model, and what its connection reports of it. */
export interface RunningModel extends SessionModel {
  /** Token usage of the session so far. */
  readonly metrics: Metrics | undefined;
}

/** Fields of `session.created`. */
export interface CreatedDetails {
  readonly promptLength?: number | undefined;
  readonly metrics?: Metrics | undefined;
}

export interface DemonstrationHooks {
  readonly isLive: () => boolean;
  readonly onCreated: (created: CreatedDetails) => void;
  readonly onContextFull: () => void;
  readonly target: FaultTarget;
}

/** Starts a session of the demonstration. It is created after one step's time, unless a fault replaces that. */
export function openDemonstration(
  connectionContext: ConnectionContext,
  mode: Mode,
  settings: SessionSettings,
  { isLive, onCreated, onContextFull, target }: DemonstrationHooks,
): RunningModel {
  const { options, deps, faults, sessionId, emit } = connectionContext;
  const promptLength = templateTokens + countTextTokens(settings.instructions ?? '');
  // Servers report usage for spoken sessions only.
  const reportsUsage = options.reportsUsage === true && mode !== 'chat';
  const usage = reportsUsage ? new SessionUsage(promptLength) : undefined;
  const isNormal = (step: FaultStep): boolean => applyStepFaults(connectionContext, step, target);
  const model = openSessionModel({
    mode,
    options,
    deps,
    settings,
    context: openContextWindow(options, promptLength),
    usage,
    faults,
    emit: (event) => emit({ ...event, sessionId }),
    answerStep: (step, answer) => {
      if (isLive() && isNormal(step)) answer();
    },
    sessionId,
    newResponseId: () => makeGatewayId('resp', deps.random),
    onContextFull,
  });
  const cancelCreation = deps.clock.after(options.stepMs, () => {
    if (isNormal('creation')) onCreated({ promptLength, metrics: usage?.metrics });
  });
  return {
    get metrics() {
      return usage?.metrics;
    },
    accept: model.accept,
    end: () => {
      cancelCreation();
      model.end();
    },
  };
}
