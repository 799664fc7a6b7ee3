import {
  type AppendEvent,
  type ChatTurnEvent,
  type ToolResultEvent,
  minAppendSamples,
  outputRate,
  type Metrics,
} from '../../shared/protocol/realtime-api.ts';
import { pictureTokens } from '../../shared/vision/vision-frame.ts';
import { openChatModel } from './chat-model.ts';
import { DemonstrationTools } from './demonstration-tools.ts';
import {
  countSoundTokens,
  countSpeechTokens,
  countTextTokens,
  modelMetrics,
  type StepStats,
} from './context-window.ts';
import {
  echoedInputId,
  type GatewayModel,
  type ModelEnvironment,
  pictureKind,
  type RequestProblem,
  sliceProblem,
} from './gateway-model.ts';
import { openDialogueManager, type DialogueAction } from './dialogue-manager.ts';

/** Documented servers keep at most this many appends and drop the oldest. */
const maxDocumentedAppends = 4;
/** Deployed servers drop nothing; a client that queues this many appends loses its session. */
const maxDeployedAppends = 60;

/** The C++ server normally sends a step's sound this long after its text. */
const defaultSoundDelayMs = 300;

/** The demonstration's model for voice and video sessions: answers each append with one step. */
function openDuplexModel(
  environment: ModelEnvironment,
): GatewayModel<AppendEvent | ToolResultEvent> {
  const { options, deps, settings } = environment;
  const firstMs = environment.faults.find('shortFirstChunk')?.ms ?? 1000;
  const dialogue = openDialogueManager({
    speech: deps.speech,
    pictures: deps.pictures,
    textLead: Math.round(((options.textLeadMs ?? 0) / 1000) * outputRate),
    firstChunk: Math.max(1, Math.round((firstMs / 1000) * outputRate)),
  });
  let waiting: AppendEvent[] = [];
  let stopWork: (() => void) | undefined;
  let step = 0;
  let responseId = '';
  /** The C++ server does not answer the step after a turn's end. */
  let skipsNextListen = false;
  const tools =
    options.takesTools === true ? new DemonstrationTools(settings.tools ?? []) : undefined;
  const pendingSounds = new Set<() => void>();
  let soundDueAt = 0;
  const forcedListenSteps =
    environment.faults.find('onlyListens') === undefined
      ? (settings.generation?.forceListenCount ?? 0)
      : Infinity;
  const lateSound = environment.faults.find('lateSound');
  const lostShare = environment.faults.find('lostListens')?.share ?? 0;

  function runNext(): void {
    if (stopWork !== undefined) return;
    const next = waiting.shift();
    if (next === undefined) return;
    stopWork = deps.clock.after(options.stepMs, () => {
      stopWork = undefined;
      runStep(next);
      runNext();
    });
  }

  function runStep(append: AppendEvent): void {
    step += 1;
    const frames = environment.mode === 'video' ? (append.frames ?? []) : [];
    const visionTokens = frames.length * pictureTokens(append.maxSlices ?? settings.maxSlices ?? 1);
    const action = dialogue.step({
      audio: append.audio,
      frame: frames.at(-1),
      forceListen: append.forceListen === true || step <= forcedListenSteps,
    });
    const textTokens = action === 'listen' ? 0 : countTextTokens(action.text);
    const soundTokens = countSoundTokens(append.audio.length);
    const fill = environment.context.add(soundTokens + visionTokens + textTokens);
    const hasFrames = frames.length > 0;
    const samples = action === 'listen' ? 0 : action.audio.length;
    const stepUsage = {
      inputText: 0,
      inputAudio: soundTokens,
      inputVision: visionTokens,
      outputText: textTokens,
      outputAudio: countSpeechTokens(samples),
    };
    const stats = {
      textTokens,
      samples,
      usage: environment.usage?.add(stepUsage, step - 1),
      visionSlices: hasFrames
        ? frames.length * (append.maxSlices ?? settings.maxSlices ?? 1)
        : undefined,
      visionTokens: hasFrames ? visionTokens : undefined,
    };
    environment.answerStep(step, () => {
      const result = action === 'listen' ? tools?.takeResult() : undefined;
      if (result === undefined) sendAction(append, action, stats);
      else sendAction(append, spokenResult(result), stats);
      if (action === 'listen' || !action.isLast) return;
      const toolCall = tools?.endTurn();
      if (toolCall === undefined) return;
      const { call, name, args } = toolCall;
      environment.emit({ kind: 'toolCall', call, ask: { form: 'raw', name, args } });
    });
    if (fill === 'full') environment.onContextFull();
  }

  function sendAction(append: AppendEvent, action: DialogueAction, stats: StepStats): void {
    const wire = options.dialect;
    if (options.profile === 'llama-omni' && wire === 'unified') {
      sendAsLlamaOmni(append, action, stats);
      return;
    }
    const shared = {
      inputId: echoedInputId(environment, append),
      metrics: modelMetrics(environment, stats),
    };
    if (action === 'listen') {
      environment.emit({ kind: 'listen', wire, ...shared });
      return;
    }
    if (action.isFirst) responseId = environment.newResponseId();
    const isMute = settings.generation?.generateAudio === false;
    environment.emit({
      kind: 'output',
      wire,
      ...shared,
      responseId,
      text: action.text === '' && wire === 'unified' ? undefined : action.text,
      audio: isMute ? undefined : action.audio,
      endOfTurn: wire === 'legacy' ? action.isLast : undefined,
    });
    const marksTurnEnd = action.isLast && wire === 'unified' && options.profile === 'deployed';
    // Deployed servers mark the end of a turn by a listen with the turn's response id.
    if (!marksTurnEnd) return;
    const metrics = metricsWithoutUsage(stats);
    environment.emit({ kind: 'listen', wire, ...shared, metrics, responseId });
  }

  /** Only the first event of a step reports token usage. */
  function metricsWithoutUsage(stats: StepStats): Metrics {
    return modelMetrics(environment, { ...stats, usage: undefined });
  }

  /** The C++ server numbers each step's response, marks no end of turn, and sends sound late. */
  function sendAsLlamaOmni(append: AppendEvent, action: DialogueAction, stats: StepStats): void {
    const wire = 'unified';
    const makeStepResponseId = (): string => `${environment.sessionId}_resp_${step}`;
    const shared = {
      responseId: makeStepResponseId(),
      metrics: modelMetrics(environment, stats),
    };
    if (action === 'listen') {
      const isLost = lostShare > 0 && deps.random() < lostShare;
      if ((!skipsNextListen || append.forceListen === true) && !isLost)
        environment.emit({ kind: 'listen', wire, ...shared });
      skipsNextListen = false;
      return;
    }
    skipsNextListen = action.isLast;
    const { text, audio } = action;
    if (text !== '') environment.emit({ kind: 'output', wire, ...shared, text });
    const metrics = text === '' ? shared.metrics : metricsWithoutUsage(stats);
    environment.emit({ kind: 'done', ...shared, metrics, text, reason: 'turn_end' });
    if (settings.generation?.generateAudio === false) return;
    const { ms = defaultSoundDelayMs, jitterMs = 0 } = lateSound ?? {};
    const now = deps.clock.now();
    const delayMs = ms + (jitterMs === 0 ? 0 : jitterMs * (2 * deps.random() - 1));
    // Speech is synthesised in the order of its text, so a later sound never overtakes an earlier one.
    soundDueAt = Math.max(soundDueAt, now + delayMs);
    const stop = deps.clock.after(soundDueAt - now, () => {
      pendingSounds.delete(stop);
      environment.emit({ kind: 'output', wire, responseId: makeStepResponseId(), audio });
    });
    pendingSounds.add(stop);
  }

  return {
    accept: (input) => {
      if (input.kind === 'toolResult')
        return tools?.acceptResult(input) === true
          ? undefined
          : { code: 'invalid_payload', message: 'no such tool call waits for a result' };
      const problem = appendProblem(input, environment);
      if (problem !== undefined) return problem;
      if (waiting.length >= maxDeployedAppends)
        return { code: 'invalid_payload', message: 'input arrives faster than it is processed' };
      waiting.push(input);
      if (options.profile === 'documented' && waiting.length > maxDocumentedAppends)
        waiting.shift();
      runNext();
      return undefined;
    },
    end: () => {
      stopWork?.();
      for (const stop of pendingSounds) stop();
      waiting = [];
    },
  };
}

/** A tool result has no recording, so a quiet constant signal of one second takes its place. */
function spokenResult(text: string): Exclude<DialogueAction, 'listen'> {
  const audio = new Float32Array(outputRate).fill(0.01);
  return { text, audio, isFirst: true, isLast: true };
}

export function appendProblem(
  append: AppendEvent,
  { mode, options }: Pick<ModelEnvironment, 'mode' | 'options'>,
): RequestProblem | undefined {
  const minSamples = options.profile === 'documented' ? minAppendSamples : 1;
  if (append.audio.length < minSamples)
    return { code: 'invalid_payload', message: `audio must have at least ${minSamples} samples` };
  const hasBadFrame = append.frames?.some((frame) => pictureKind(frame) !== 'jpeg') ?? false;
  if (mode === 'video' && hasBadFrame)
    return { code: 'invalid_payload', message: 'video_frames JPEG decode failed' };
  return sliceProblem(append.maxSlices);
}

/** A model for talks or for chats, which refuses input of the other mode. */
export type SessionModel = GatewayModel<AppendEvent | ChatTurnEvent | ToolResultEvent>;

export function openSessionModel(environment: ModelEnvironment): SessionModel {
  if (environment.mode === 'chat') return chatOnly(openChatModel(environment));
  const duplex = openDuplexModel(environment);
  return {
    accept: (input) => (input.kind === 'chat' ? missingAudio : duplex.accept(input)),
    end: duplex.end,
  };
}

const missingAudio = { code: 'missing_field', message: 'audio field is required' } as const;

export function chatOnly(chat: GatewayModel<ChatTurnEvent>): SessionModel {
  const missing = { code: 'missing_field', message: 'messages field is required' };
  return {
    accept: (input) => (input.kind === 'chat' ? chat.accept(input) : missing),
    end: chat.end,
  };
}

/** A model server calls no tools, so it takes no tool results. */
export function duplexOnly(duplex: GatewayModel<AppendEvent>): SessionModel {
  return {
    accept: (input) => (input.kind === 'append' ? duplex.accept(input) : missingAudio),
    end: duplex.end,
  };
}
