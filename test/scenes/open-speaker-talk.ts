import { setTimeout as wait } from 'node:timers/promises';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { instant } from '../contract/sound/player.ts';
import { powerDb } from '../fakes/echo-room.ts';
import { lastTurn } from './answer-checks.ts';
import { sentence, type Stage } from './stage.ts';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';

/** Outcomes of answers over which nobody spoke, or of speech over answers. */
export interface OpenSpeakerStats {
  readonly answers: number;
  /** Answers that were cut, and answers after which Parley thought that the user had spoken. */
  readonly cut: number;
  readonly overheard: number;
  readonly interruptions: number;
  /** Interruptions that the server heard, so that it yielded. */
  readonly heard: number;
  /** Level of the echo that reached the server, per 20 ms, sorted from quiet to loud. */
  readonly echoDb: readonly number[];
  /** The same per half second, in order of time. */
  readonly halvesDb: readonly number[];
  /** Attenuation of the user's speech over an answer, at the server. */
  readonly wordsDb: readonly number[];
  /** Level of the echo before cancellation. */
  readonly playedDb: number;
  readonly answerMs: number;
}

const maxAnswerMs = 60_000;
/** Sound still in flight when the user stops speaking: a chunk, plus delays of a busy machine. */
const inFlightMs = 1400;

/** A talk on open speakers: the microphone hears the user and the echo of the speaker. */
export class OpenSpeakerTalk {
  readonly #stage: Stage;
  readonly #echoDb: number[] = [];
  readonly #halvesDb: number[] = [];
  readonly #playedDb: number[] = [];
  readonly #wordsDb: number[] = [];
  #answers = 0;
  #cut = 0;
  #overheard = 0;
  #interruptions = 0;
  #heard = 0;
  #answerMs = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  get stats(): OpenSpeakerStats {
    return {
      answers: this.#answers,
      cut: this.#cut,
      overheard: this.#overheard,
      interruptions: this.#interruptions,
      heard: this.#heard,
      echoDb: this.#echoDb.toSorted((one, other) => one - other),
      halvesDb: this.#halvesDb,
      wordsDb: this.#wordsDb.toSorted((one, other) => one - other),
      playedDb: this.#playedDb.reduce((sum, db) => sum + db, 0) / this.#playedDb.length,
      answerMs: this.#answerMs,
    };
  }

  async open(mode: 'auto' | 'on' | 'off'): Promise<void> {
    const stage = this.#stage;
    await stage.serve({ dialect: 'unified', profile: 'documented' });
    await stage.open('unified');
    await stage.sound.openRoom();
    await stage.do('change', { audio: { echo: mode }, talking: { longTalks: 'handOver' } });
    await stage.do('startTalk', { mode: 'audio' });
    await stage.until('the talk is live', ({ state }) => state.phase === 'live');
    await wait(1500);
  }

  /** The user asks something and listens to the whole answer; returns what the microphone captured meanwhile. */
  async ask(): Promise<void> {
    const stage = this.#stage;
    await this.#untilQuiet();
    const before = lastTurn(await stage.view());
    await stage.speak(sentence('see'));
    await this.#untilSpoken(before);
    // By then the chunk with the end of the user's speech has been sent.
    const since = instant() + inFlightMs;
    const begun = instant();
    await stage.until('the answer is over', ({ captions, floor }) => {
      const last = captions.at(-1);
      return last !== undefined && last.turn > before && last.settled && floor !== 'parley';
    });
    const until = instant();
    const view = await stage.view();
    this.#answers += 1;
    this.#answerMs += until - begun;
    const cut = view.captions.filter(({ turn, cutFrom }) => turn > before && cutFrom !== undefined);
    if (cut.length > 0) this.#cut += 1;
    const floors = stage.noticesOf('floor', begun + inFlightMs);
    if (floors.some((floor) => floor === 'both')) this.#overheard += 1;
    await wait(inFlightMs);
    const sent = sentBetween(stage, since, until);
    this.#echoDb.push(...levelsOf(sent, 0.02));
    this.#halvesDb.push(...levelsOf(sent, 0.5));
    const played = stage.monitor.since(begun);
    this.#playedDb.push(loudestHalf(played, 8000));
  }

  /** The user speaks over the answer; the stats record whether the server heard it, and how loud. */
  async interrupt(): Promise<void> {
    const stage = this.#stage;
    const before = lastTurn(await stage.view());
    await stage.speak(sentence('see'));
    await this.#untilSpoken(before);
    await wait(700);
    const since = instant();
    const words = sentence('hello');
    await stage.speak(words);
    this.#interruptions += 1;
    await wait(inFlightMs);
    const yielded = stage.connection.events.some(
      ({ at, event }) => at >= since && event.kind === 'listen',
    );
    if (yielded) this.#heard += 1;
    const sent = sentBetween(stage, since, instant());
    this.#wordsDb.push(loudestHalf(sent, inputRate) - loudestHalf(words, inputRate));
    await this.#untilQuiet();
  }

  async #untilSpoken(before: number): Promise<void> {
    await this.#stage.until('an answer is heard', ({ captions, floor }) => {
      const last = captions.at(-1);
      return last !== undefined && last.turn > before && last.heard > 0 && floor !== 'you';
    });
  }

  /** Waits longer than other checks, because broken sound makes an answer last longer. */
  async #untilQuiet(): Promise<void> {
    const until = instant() + maxAnswerMs;
    while (!(await this.#isQuiet())) {
      if (instant() > until) throw new Error('It does not become quiet.');
    }
  }

  async #isQuiet(): Promise<boolean> {
    const since = instant();
    await wait(2500);
    const { captions, floor } = await this.#stage.view();
    const isTalking = this.#stage.connection.outputsSince(since).some(({ audio }) => audio);
    return !isTalking && floor === 'nobody' && captions.every(({ settled }) => settled);
  }
}

function sentBetween(stage: Stage, since: number, until: number): Float32Array {
  const { appends } = stage.connection;
  return joinSamples(
    appends.flatMap(({ at, event }) => (at >= since && at < until ? [event.audio] : [])),
  );
}

function levelsOf(sound: Float32Array, step: number): readonly number[] {
  const levels: number[] = [];
  for (let at = 0; (at + step) * inputRate <= sound.length; at += step)
    levels.push(powerDb(sound, at, at + step));
  return levels;
}

function loudestHalf(sound: Float32Array, rate: number): number {
  const step = rate / 50;
  const powers: number[] = [];
  for (let at = 0; at + step <= sound.length; at += step)
    powers.push(sound.subarray(at, at + step).reduce((sum, x) => sum + x * x, 1e-12) / step);
  const loudest = Math.max(...powers);
  const loud = powers.filter((power) => power > loudest / 100);
  return 10 * Math.log10(loud.reduce((sum, power) => sum + power, 0) / loud.length);
}
