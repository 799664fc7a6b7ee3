import type { ChatTurnEvent } from '../../shared/protocol/client-event.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import { chatTurnProblem, readChatPrompt } from './chat-prompt.ts';
import { type ChatReply, composeReply } from './chat-reply.ts';
import {
  echoedInputId,
  type GatewayModel,
  type ModelEnvironment,
  modelMetrics,
} from './gateway-model.ts';

const defaultMaxNewTokens = 256;
const tokensPerDelta = 3;
/** The C++ server sends the sound of an answer when it is made, after the answer's end. */
const soundAfterEndMs = 300;

/** Turns that wait for the one that is being answered. */
const maxPendingTurns = 16;

/** Chat: one turn after the other, each ended by `done`. */
export function openChatModel(environment: ModelEnvironment): GatewayModel<ChatTurnEvent> {
  const { options, deps } = environment;
  const deltaMs = options.stepMs / 4;
  let waiting: ChatTurnEvent[] = [];
  let busy = false;
  let ended = false;
  let stopWaiting: (() => void) | undefined;
  let step = 0;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      stopWaiting = deps.clock.after(ms, resolve);
    });
  }

  async function pump(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) await work(turn);
    busy = false;
  }

  async function work(turn: ChatTurnEvent): Promise<void> {
    await pause(options.stepMs);
    const prompt = readChatPrompt(turn);
    const reply = await composeReply(
      prompt,
      { ...deps, pause: () => pause(0) },
      turn.speech?.enabled === true,
    );
    if (ended) return;
    step += 1;
    const cut = truncateReply(reply, turn.maxNewTokens ?? defaultMaxNewTokens);
    const fill = environment.context.restart(prompt.tokens + cut.pieces.length);
    let answering: Promise<void> | undefined;
    environment.answer(step, () => {
      answering = say(turn, cut, reply);
    });
    await answering;
    if (fill === 'full') environment.contextFull();
  }

  async function say(
    turn: ChatTurnEvent,
    cut: TruncatedReply,
    { utterance }: ChatReply,
  ): Promise<void> {
    const streaming = turn.streaming !== false;
    const numbers = options.profile === 'llama-omni';
    const about = {
      responseId: numbers ? `${environment.sessionId}_resp_${step}` : environment.newResponseId(),
      inputId: echoedInputId(environment, turn),
    };
    const audio = utterance?.audio.subarray(0, cut.samples);
    if (streaming) {
      await stream(cut.pieces, numbers ? undefined : audio, about);
    } else if (audio !== undefined && options.profile === 'deployed') {
      // Deployed servers say it twice: here and in `done`.
      environment.emit({ kind: 'output', wire: 'unified', ...about, audio });
    }
    if (ended) return;
    environment.emit({
      kind: 'done',
      ...about,
      text: cut.pieces.join(''),
      reason: cut.complete ? 'turn_end' : 'length',
      audio: streaming ? undefined : audio,
      metrics: modelMetrics(environment, {
        textTokens: cut.pieces.length,
        samples: audio?.length,
      }),
    });
    if (!streaming || !numbers || audio === undefined) return;
    await pause(soundAfterEndMs);
    if (!ended) await stream([], audio, about);
  }

  async function stream(
    pieces: TruncatedReply['pieces'],
    audio: Float32Array | undefined,
    about: { readonly responseId: string; readonly inputId: string | undefined },
  ): Promise<void> {
    let sentTokens = 0;
    let sentSamples = 0;
    const samples = audio?.length ?? 0;
    while (sentTokens < pieces.length || sentSamples < samples) {
      if (sentTokens < pieces.length) {
        const text = pieces.slice(sentTokens, sentTokens + tokensPerDelta).join('');
        const metrics = modelMetrics(environment, {});
        environment.emit({ kind: 'output', wire: 'unified', ...about, text, metrics });
        sentTokens += tokensPerDelta;
      }
      if (audio !== undefined && sentSamples < samples) {
        const chunk = audio.subarray(sentSamples, sentSamples + outputRate);
        environment.emit({ kind: 'output', wire: 'unified', ...about, audio: chunk });
        sentSamples += outputRate;
      }
      await pause(deltaMs);
      if (ended) return;
    }
  }

  return {
    take: (turn) => {
      const problem = chatTurnProblem(turn);
      if (problem !== undefined) return problem;
      if (waiting.length >= maxPendingTurns) {
        return { code: 'invalid_payload', message: 'too many turns are waiting' };
      }
      waiting.push(turn);
      void pump();
      return undefined;
    },
    end: () => {
      ended = true;
      waiting = [];
      stopWaiting?.();
    },
  };
}

/** A reply as far as it may go. */
interface TruncatedReply {
  /** One for each token, which here is a word with the space before it. */
  readonly pieces: readonly string[];
  readonly complete: boolean;
  /** As much of the sound as belongs to it. */
  readonly samples: number;
}

function truncateReply({ text, utterance, spoken }: ChatReply, maxTokens: number): TruncatedReply {
  const all = text.match(/\s*\S+/g) ?? [];
  const complete = all.length <= maxTokens;
  const length = utterance?.audio.length ?? 0;
  // Only where the voice says the text do the text's words tell where to stop.
  const lastWord = spoken === 'text' ? utterance?.words[maxTokens - 1] : undefined;
  return {
    pieces: complete ? all : all.slice(0, maxTokens),
    complete,
    samples: complete ? length : (lastWord?.end ?? length),
  };
}
