import type { DemoSpeech } from '../../electron/gateway/gateway-options.ts';
import { openPersona, type Persona, type PersonaAction } from '../../electron/gateway/persona.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import type { StandInFaults } from './stand-in-faults.ts';

/** Content of one append. */
export interface DuplexInput {
  readonly audio: Float32Array;
  readonly frame: Uint8Array | undefined;
  readonly forceListen: boolean;
}

export interface DuplexDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly speech: DemoSpeech;
  readonly faults: StandInFaults;
  readonly contextSize: number;
  readonly forcedListens: number;
  readonly useTts: boolean;
  /** Sends a response event of this step. */
  readonly send: (step: number, event: OmniEvent) => void;
  /** Before the step; returns false if the session has ended. */
  readonly onStep: (step: number, input: DuplexInput) => boolean;
  readonly onStepDone: (step: number, tokens: number) => void;
  readonly onTurn: () => void;
  readonly onSlide: (from: number, to: number) => void;
}

export type OmniEvent =
  | { readonly kind: 'listen' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'audio'; readonly audio: Float32Array }
  | { readonly kind: 'done'; readonly text: string };

const defaultStepMs = 100;
const soundTokensPerSecond = 25;
const pictureTokens = 64;
/** Sound that is this far ahead of real time makes the model listen. */
const maxAheadMs = 3500;
const promptTokens = 120;
const babble = [' and then', ' so I said', ' to myself', ' once more'];

/** Stand-in for the duplex model of llama-omni-server: handles one append after the other, with the timing and faults of the C++ server. */
export class StandInDuplex {
  readonly #deps: DuplexDeps;
  readonly #persona: Persona;
  #waiting: DuplexInput[] = [];
  #isWorking = false;
  #ended = false;
  #step = 0;
  #tokens = promptTokens;
  #begunAt: number | undefined;
  #heardMs = 0;
  #hasSlid = false;
  /** The model samples nothing in the step after a turn's end. */
  #turnJustEnded = false;
  #soundDueAt = 0;
  #soundPassed = false;
  readonly #stops = new Set<() => void>();

  constructor(deps: DuplexDeps) {
    this.#deps = deps;
    this.#persona = openPersona({
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

  add(input: DuplexInput): void {
    this.#begunAt ??= this.#deps.clock.now();
    this.#heardMs += (1000 * input.audio.length) / inputRate;
    this.#waiting.push(input);
    this.#work();
  }

  end(): void {
    this.#ended = true;
    for (const stop of this.#stops) stop();
    this.#stops.clear();
    this.#waiting = [];
  }

  #after(ms: number, run: () => void): void {
    const stop = this.#deps.clock.after(ms, () => {
      this.#stops.delete(stop);
      if (!this.#ended) run();
    });
    this.#stops.add(stop);
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

  #decode(input: DuplexInput): void {
    const { forcedListens, faults } = this.#deps;
    const isForced = input.forceListen || this.#step <= forcedListens;
    const forceListen = isForced || (this.#isAhead && faults.takesAnyPace !== true);
    const action = this.#persona.step({ ...input, forceListen });
    this.#count(input, action);
    if (action !== 'listen') this.#speak(action);
    else if (this.#hasSlid && !isForced) this.#talkToItself();
    else this.#listen(isForced);
    this.#deps.onStepDone(this.#step, this.#tokens);
  }

  get #isAhead(): boolean {
    const now = this.#deps.clock.now();
    return this.#heardMs > now - (this.#begunAt ?? now) + maxAheadMs;
  }

  #count({ audio, frame }: DuplexInput, action: PersonaAction): void {
    const heard = Math.ceil((audio.length / inputRate) * soundTokensPerSecond);
    const said = action === 'listen' ? 1 : Math.ceil(action.text.length / 4);
    const before = this.#tokens + heard + said + (frame === undefined ? 0 : pictureTokens);
    this.#tokens = before;
    if (before < this.#deps.contextSize) return;
    this.#tokens = Math.floor((promptTokens + this.#deps.contextSize) / 2);
    this.#hasSlid = true;
    this.#deps.onSlide(before, this.#tokens);
  }

  #listen(isForced: boolean): void {
    const { random, faults } = this.#deps;
    const followsTurn = this.#turnJustEnded;
    this.#turnJustEnded = false;
    const passed = this.#soundPassed;
    this.#soundPassed = false;
    if (random() < (faults.silentSteps ?? 0)) return;
    if (followsTurn && !isForced) {
      // One such step in four still ends a response, without text.
      if (random() < 0.25) this.#send({ kind: 'done', text: '' });
      return;
    }
    if (random() >= (faults.lostListens ?? 0)) this.#send({ kind: 'listen' });
    if (passed) this.#send({ kind: 'done', text: '' });
  }

  #speak({ text, audio, isLast, isFirst }: Exclude<PersonaAction, 'listen'>): void {
    if (isFirst) this.#deps.onTurn();
    const { random, faults } = this.#deps;
    this.#soundPassed = false;
    const pieces = text.match(/\s*\S+(?:\s+\S+)?/gu) ?? [];
    const isLost = pieces.length > 0 && random() < (faults.lostFragments ?? 0);
    const sent = isLost ? pieces.slice(0, -1) : pieces;
    for (const piece of sent) this.#send({ kind: 'text', text: piece });
    // One turn in four ends with a listen in its last step.
    const listensAtOnce = isLast && random() < 0.25;
    if (listensAtOnce && random() >= (faults.lostListens ?? 0)) this.#send({ kind: 'listen' });
    if (!isLost || sent.length > 0) this.#send({ kind: 'done', text: sent.join('') });
    this.#turnJustEnded = isLast && !listensAtOnce;
    if (this.#deps.useTts) this.#synthesise(audio, text === '');
  }

  #talkToItself(): void {
    const text = babble[this.#step % babble.length] ?? '';
    this.#send({ kind: 'text', text });
    this.#send({ kind: 'done', text });
    if (this.#deps.useTts) this.#synthesise(new Float32Array(outputRate));
  }

  /** Sound comes in the order of its text, some time after it, under the number of the newest append. */
  #synthesise(audio: Float32Array, endsText = false): void {
    const { clock, random, faults } = this.#deps;
    const { ms, jitterMs = 0 } = faults.lateSound ?? { ms: 750, jitterMs: 450 };
    const now = clock.now();
    // The rest of an earlier text's sound follows that sound at once.
    const delayMs = endsText ? 0 : ms + jitterMs * (2 * random() - 1);
    this.#soundDueAt = Math.max(this.#soundDueAt, now + delayMs);
    this.#after(this.#soundDueAt - now, () => {
      this.#soundPassed = true;
      this.#send({ kind: 'audio', audio });
    });
  }

  #send(event: OmniEvent): void {
    this.#deps.send(this.#step, event);
  }
}
