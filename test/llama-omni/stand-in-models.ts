import { openChatModel } from '../../electron/gateway/chat-model.ts';
import {
  type DialogueAction,
  type DialogueManager,
  openDialogueManager,
} from '../../electron/gateway/dialogue-manager.ts';
import { openContextWindow } from '../../electron/gateway/context-window.ts';
import type { GatewayModel } from '../../electron/gateway/gateway-model.ts';
import {
  defaultGatewayOptions,
  type DemoSpeech,
  planFaults,
} from '../../electron/gateway/gateway-options.ts';
import { SentenceRecogniser } from '../../electron/gateway/sentence-recogniser.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import { type ChatTurnEvent, inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import type { StandInFaults } from './stand-in-faults.ts';

/** The decoded content of one append. */
export interface AppendInput {
  readonly audio: Float32Array;
  readonly frame: Uint8Array | undefined;
  readonly forceListen: boolean;
}

export interface StandInDuplexDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly speech: DemoSpeech;
  readonly faults: StandInFaults;
  readonly contextSize: number;
  readonly forcedListens: number;
  readonly useTts: boolean;
  /** Sends a response event of this step. */
  readonly send: (step: number, event: StandInEvent) => void;
  /** Called before the step. Returns false if the session has ended. */
  readonly onStep: (step: number, input: AppendInput) => boolean;
  readonly onStepDone: (step: number, tokens: number) => void;
  readonly onTurn: () => void;
  readonly onSlide: (from: number, to: number) => void;
}

export type StandInEvent =
  | { readonly kind: 'listen' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'audio'; readonly audio: Float32Array }
  | { readonly kind: 'done'; readonly text: string };

const defaultStepMs = 100;
const soundTokensPerSecond = 25;
const pictureTokens = 64;
/** The model listens while the appends are further ahead of real time than this. */
const maxAheadMs = 3500;
const promptTokens = 120;
/**
 * Stand-in for the duplex model of `llama-omni-server`: the demonstration's answers with the timing and faults of the
 * C++ server. Handles one append after the other.
 */
export class StandInDuplex {
  readonly #deps: StandInDuplexDeps;
  readonly #dialogue: DialogueManager;
  #waiting: AppendInput[] = [];
  #isWorking = false;
  #ended = false;
  #step = 0;
  #tokens = promptTokens;
  #firstAppendAt: number | undefined;
  #heardMs = 0;
  /** The model samples nothing in the step after a turn's end. */
  #hasTurnJustEnded = false;
  #soundDueAt = 0;
  #soundSentSinceStep = false;
  readonly #cancelTimers = new Set<() => void>();

  constructor(deps: StandInDuplexDeps) {
    this.#deps = deps;
    this.#dialogue = openDialogueManager({
      speech: deps.speech,
      pictures: fakePictures(),
      firstChunk: outputRate,
    });
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Appends that wait, which the real server leaves in TCP. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(input: AppendInput): void {
    this.#firstAppendAt ??= this.#deps.clock.now();
    this.#heardMs += (1000 * input.audio.length) / inputRate;
    this.#waiting.push(input);
    this.#work();
  }

  end(): void {
    this.#ended = true;
    for (const stop of this.#cancelTimers) stop();
    this.#cancelTimers.clear();
    this.#waiting = [];
  }

  #after(ms: number, run: () => void): void {
    const stop = this.#deps.clock.after(ms, () => {
      this.#cancelTimers.delete(stop);
      if (!this.#ended) run();
    });
    this.#cancelTimers.add(stop);
  }

  #work(): void {
    if (this.#isWorking || this.#ended) return;
    const input = this.#waiting.shift();
    if (input === undefined) return;
    this.#isWorking = true;
    this.#step += 1;
    if (!this.#deps.onStep(this.#step, input)) return;
    const { stepMs = defaultStepMs, pictureMs = 0 } = this.#deps.faults;
    this.#after(stepMs + (input.frame === undefined ? 0 : pictureMs), () => {
      this.#decode(input);
      this.#isWorking = false;
      this.#work();
    });
  }

  #decode(input: AppendInput): void {
    const { forcedListens, faults } = this.#deps;
    const isForced = input.forceListen || this.#step <= forcedListens;
    const forceListen = isForced || (this.#isAheadOfRealTime && faults.takesAnyPace !== true);
    const action = this.#dialogue.step({ ...input, forceListen });
    this.#countTokens(input, action);
    if (action !== 'listen') this.#speak(action);
    else this.#listen(isForced);
    this.#deps.onStepDone(this.#step, this.#tokens);
  }

  get #isAheadOfRealTime(): boolean {
    const now = this.#deps.clock.now();
    return this.#heardMs > now - (this.#firstAppendAt ?? now) + maxAheadMs;
  }

  #countTokens({ audio, frame }: AppendInput, action: DialogueAction): void {
    const heard = Math.ceil((audio.length / inputRate) * soundTokensPerSecond);
    const said = action === 'listen' ? 1 : Math.ceil(action.text.length / 4);
    const before = this.#tokens + heard + said + (frame === undefined ? 0 : pictureTokens);
    this.#tokens = before;
    if (before < this.#deps.contextSize) return;
    this.#tokens = Math.floor((promptTokens + this.#deps.contextSize) / 2);
    this.#deps.onSlide(before, this.#tokens);
  }

  #listen(isForced: boolean): void {
    const { random, faults } = this.#deps;
    const followsTurn = this.#hasTurnJustEnded;
    this.#hasTurnJustEnded = false;
    const soundSent = this.#soundSentSinceStep;
    this.#soundSentSinceStep = false;
    if (random() < (faults.silentSteps ?? 0)) return;
    if (followsTurn && !isForced) {
      // One such step in four still ends a response, without text.
      if (random() < 0.25) this.#send({ kind: 'done', text: '' });
      return;
    }
    if (random() >= (faults.lostListens ?? 0)) this.#send({ kind: 'listen' });
    if (soundSent) this.#send({ kind: 'done', text: '' });
  }

  #speak({ text, audio, isLast, isFirst }: Exclude<DialogueAction, 'listen'>): void {
    if (isFirst) this.#deps.onTurn();
    const { random, faults } = this.#deps;
    this.#soundSentSinceStep = false;
    const pieces = text.match(/\s*\S+(?:\s+\S+)?/gu) ?? [];
    const isLost = pieces.length > 0 && random() < (faults.lostFragments ?? 0);
    const sent = isLost ? pieces.slice(0, -1) : pieces;
    for (const piece of sent) this.#send({ kind: 'text', text: piece });
    // One turn in four ends with a listen in its last step.
    const listensAtOnce = isLast && random() < 0.25;
    if (listensAtOnce && random() >= (faults.lostListens ?? 0)) this.#send({ kind: 'listen' });
    if (!isLost || sent.length > 0) this.#send({ kind: 'done', text: sent.join('') });
    this.#hasTurnJustEnded = isLast && !listensAtOnce;
    if (this.#deps.useTts) this.#synthesise(audio, text === '');
  }

  /** Sound comes in the order of its text, some time after it, under the number of the newest append. */
  #synthesise(audio: Float32Array, endsText = false): void {
    const { clock, random, faults } = this.#deps;
    const { ms, jitterMs = 0 } = faults.lateSound ?? { ms: 750, jitterMs: 450 };
    const now = clock.now();
    // A step without text continues the sound of an earlier text, so its sound follows without a delay.
    const delayMs = endsText ? 0 : ms + jitterMs * (2 * random() - 1);
    this.#soundDueAt = Math.max(this.#soundDueAt, now + delayMs);
    this.#after(this.#soundDueAt - now, () => {
      this.#soundSentSinceStep = true;
      this.#send({ kind: 'audio', audio });
    });
  }

  #send(event: StandInEvent): void {
    this.#deps.send(this.#step, event);
  }
}

interface StandInChatDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly speech: DemoSpeech;
  readonly sessionId: string;
  readonly contextSize: number;
  readonly stepMs: number;
  readonly send: (text: string) => void;
}

/** Stand-in for the chat model of `llama-omni-server`: the demonstration's answers in the frames of the C++ server. */
export class StandInChat {
  readonly #model: GatewayModel<ChatTurnEvent>;
  readonly #codec = createServerCodec(bufferBase64);

  constructor({ clock, random, speech, sessionId, contextSize, stepMs, send }: StandInChatDeps) {
    const options = {
      ...defaultGatewayOptions,
      profile: 'llama-omni' as const,
      contextTokens: contextSize,
      stepMs,
    };
    this.#model = openChatModel({
      mode: 'chat',
      options,
      deps: {
        clock,
        random,
        codec: this.#codec,
        pictures: fakePictures(),
        speech,
        recogniser: new SentenceRecogniser(speech),
      },
      settings: {},
      context: openContextWindow(options, 0),
      faults: planFaults([], 1),
      emit: (event) => {
        for (const text of this.#codec.encodeServerEvent(event, 'unified')) send(text);
      },
      answerStep: (_step, answer) => {
        answer();
      },
      sessionId,
      newResponseId: () => `${sessionId}_resp_0`,
      onContextFull: () => undefined,
    });
  }

  /** Returns false if the input is invalid. */
  add(text: string): boolean {
    const event = this.#codec.decodeClientEvent(text, 'unified');
    if (event.kind !== 'chat') return false;
    return this.#model.accept(event) === undefined;
  }

  end(): void {
    this.#model.end();
  }
}

/** A second of sound that the stand-in detects as speech. */
export const speech = Float32Array.from({ length: 16_000 }, (_, at) =>
  at < 12_000 ? 0.2 * Math.sin(at / 5) : 0,
);
