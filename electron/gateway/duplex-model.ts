import type { AppendEvent, ChatTurnEvent } from '../../shared/protocol/client-event.ts';
import { minAppendSamples, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { Metrics } from '../../shared/protocol/server-event.ts';
import { pictureTokens } from '../../shared/vision/vision-frame.ts';
import { openChatModel } from './chat-model.ts';
import {
  countSoundTokens,
  countSpeechTokens,
  countTextTokens,
  echoedInputId,
  type GatewayModel,
  type ModelEnvironment,
  modelMetrics,
  type RequestProblem,
  sliceProblem,
  type StepStats,
} from './gateway-model.ts';
import { openPersona, type PersonaAction } from './persona.ts';
import { pictureKind } from './received-picture.ts';

/** Documented servers drop what waits beyond this, oldest first. */
const maxPendingAppends = 4;
/** Servers in use drop nothing, and a session that floods them ends. */
const floodLimit = 60;

/** The C++ server sends the sound of a step when it is ready, normally so long after its text. */
const normallyLateMs = 300;

/** Full duplex: every append is one step of the model, and only appends drive it. */
function openDuplexModel(environment: ModelEnvironment): GatewayModel<AppendEvent> {
  const { options, deps, settings } = environment;
  const firstMs = environment.faults.find('shortFirstChunk')?.ms ?? 1000;
  const persona = openPersona({
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
  let isSilent = false;
  const lateSounds = new Set<() => void>();
  let soundDueAt = 0;
  const listensUntil =
    environment.faults.find('onlyListens') === undefined
      ? (settings.generation?.forceListenCount ?? 0)
      : Infinity;
  const lateSound = environment.faults.find('lateSound');
  const lostShare = environment.faults.find('lostListens')?.share ?? 0;

  function pump(): void {
    if (stopWork !== undefined) return;
    const next = waiting.shift();
    if (next === undefined) return;
    stopWork = deps.clock.after(options.stepMs, () => {
      stopWork = undefined;
      work(next);
      pump();
    });
  }

  function work(ask: AppendEvent): void {
    step += 1;
    const frames = environment.mode === 'video' ? (ask.frames ?? []) : [];
    const visionTokens = frames.length * pictureTokens(ask.maxSlices ?? settings.maxSlices ?? 1);
    const action = persona.step({
      audio: ask.audio,
      frame: frames.at(-1),
      forceListen: ask.forceListen === true || step <= listensUntil,
    });
    const words = action === 'listen' ? 0 : countTextTokens(action.text);
    const soundTokens = countSoundTokens(ask.audio.length);
    const fill = environment.context.add(soundTokens + visionTokens + words);
    const seen = frames.length > 0;
    const samples = action === 'listen' ? 0 : action.audio.length;
    const stepUsage = {
      inputText: 0,
      inputAudio: soundTokens,
      inputVision: visionTokens,
      outputText: words,
      outputAudio: countSpeechTokens(samples),
    };
    const figures = {
      textTokens: words,
      samples,
      used: environment.usage?.add(stepUsage, step - 1),
      visionSlices: seen ? frames.length * (ask.maxSlices ?? settings.maxSlices ?? 1) : undefined,
      visionTokens: seen ? visionTokens : undefined,
    };
    environment.answer(step, () => {
      say(ask, action, figures);
    });
    if (fill === 'full') environment.contextFull();
  }

  function say(ask: AppendEvent, action: PersonaAction, figures: StepStats): void {
    const wire = options.dialect;
    if (options.profile === 'llama-omni' && wire === 'unified') {
      sayAsLlamaOmni(ask, action, figures);
      return;
    }
    const about = {
      inputId: echoedInputId(environment, ask),
      metrics: modelMetrics(environment, figures),
    };
    if (action === 'listen') {
      environment.emit({ kind: 'listen', wire, ...about });
      return;
    }
    if (action.first) responseId = environment.newResponseId();
    const mute = settings.generation?.generateAudio === false;
    environment.emit({
      kind: 'output',
      wire,
      ...about,
      responseId,
      text: action.text === '' && wire === 'unified' ? undefined : action.text,
      audio: mute ? undefined : action.audio,
      endOfTurn: wire === 'legacy' ? action.last : undefined,
    });
    const saysTheEnd = action.last && wire === 'unified' && options.profile === 'deployed';
    // Of all listens the one that closes a turn says whose it was.
    if (!saysTheEnd) return;
    const metrics = metricsAlone(figures);
    environment.emit({ kind: 'listen', wire, ...about, metrics, responseId });
  }

  /** Of a step's events the first alone says what was used. */
  function metricsAlone(figures: StepStats): Metrics {
    return modelMetrics(environment, { ...figures, used: undefined });
  }

  /** Gives each step its append's number, marks no turn's end, and sends sound late. */
  function sayAsLlamaOmni(ask: AppendEvent, action: PersonaAction, figures: StepStats): void {
    const wire = 'unified';
    const nameOfStep = (): string => `${environment.sessionId}_resp_${step}`;
    const about = { responseId: nameOfStep(), metrics: modelMetrics(environment, figures) };
    if (action === 'listen') {
      const isLost = lostShare > 0 && deps.random() < lostShare;
      if ((!isSilent || ask.forceListen === true) && !isLost)
        environment.emit({ kind: 'listen', wire, ...about });
      isSilent = false;
      return;
    }
    isSilent = action.last;
    const { text, audio } = action;
    if (text !== '') environment.emit({ kind: 'output', wire, ...about, text });
    const metrics = text === '' ? about.metrics : metricsAlone(figures);
    environment.emit({ kind: 'done', ...about, metrics, text, reason: 'turn_end' });
    if (settings.generation?.generateAudio === false) return;
    const { ms = normallyLateMs, jitterMs = 0 } = lateSound ?? {};
    const now = deps.clock.now();
    const lateMs = ms + (jitterMs === 0 ? 0 : jitterMs * (2 * deps.random() - 1));
    // Sound is made in the order of the words, so none overtakes the one before it.
    soundDueAt = Math.max(soundDueAt, now + lateMs);
    const stop = deps.clock.after(soundDueAt - now, () => {
      lateSounds.delete(stop);
      environment.emit({ kind: 'output', wire, responseId: nameOfStep(), audio });
    });
    lateSounds.add(stop);
  }

  return {
    take: (ask) => {
      const problem = problemOf(ask, environment);
      if (problem !== undefined) return problem;
      if (waiting.length >= floodLimit) {
        return { code: 'invalid_payload', message: 'input comes faster than it is worked' };
      }
      waiting.push(ask);
      if (options.profile === 'documented' && waiting.length > maxPendingAppends) waiting.shift();
      pump();
      return undefined;
    },
    end: () => {
      stopWork?.();
      for (const stop of lateSounds) stop();
      waiting = [];
    },
  };
}

function problemOf(
  ask: AppendEvent,
  { mode, options }: ModelEnvironment,
): RequestProblem | undefined {
  const minSamples = options.profile === 'documented' ? minAppendSamples : 1;
  if (ask.audio.length < minSamples) {
    return { code: 'invalid_payload', message: `audio must have at least ${minSamples} samples` };
  }
  const broken = ask.frames?.some((frame) => pictureKind(frame) !== 'jpeg') ?? false;
  if (mode === 'video' && broken) {
    return { code: 'invalid_payload', message: 'video_frames JPEG decode failed' };
  }
  return sliceProblem(ask.maxSlices);
}

/** The model behind one session, which says by itself what it does not take. */
export type SessionModel = GatewayModel<AppendEvent | ChatTurnEvent>;

export function openSessionModel(environment: ModelEnvironment): SessionModel {
  return environment.mode === 'chat'
    ? chatOnly(openChatModel(environment))
    : duplexOnly(openDuplexModel(environment));
}

function chatOnly(chat: GatewayModel<ChatTurnEvent>): SessionModel {
  const missing = { code: 'missing_field', message: 'messages field is required' };
  return {
    take: (ask) => (ask.kind === 'chat' ? chat.take(ask) : missing),
    end: chat.end,
  };
}

function duplexOnly(duplex: GatewayModel<AppendEvent>): SessionModel {
  const missing = { code: 'missing_field', message: 'audio field is required' };
  return {
    take: (ask) => (ask.kind === 'append' ? duplex.take(ask) : missing),
    end: duplex.end,
  };
}
