import type { Clock } from '../../ports/clock.ts';
import { Ducking } from './ducking.ts';
import { ServerPaceTracker } from './server-pace.ts';
import type { ServerPace } from './server-pace.ts';
import type { Playback, PlaybackOptions } from './playback.ts';
import { emitSilence } from '../dsp/silence.ts';
import { PlayoutQueue } from './playout-queue.ts';
import { SpeakerFeed } from './speaker-feed.ts';
import type { Speaker } from '../devices/speaker.ts';
import { maxStretch } from '../dsp/time-stretch.ts';

/** In the terms of NetEq, which is what people compare with. Samples and events since the beginning. */
export interface PlayoutStats {
  /** What waits to be heard now, held back or at the speaker. */
  readonly bufferMs: number;
  /** What should be left when the next step comes. */
  readonly targetMs: number;
  /** Made up, because nothing had come. */
  readonly concealedSamples: number;
  readonly concealmentEvents: number;
  /** Put in between to slow down. */
  readonly insertedSamples: number;
  /** Always 0: nothing of an answer is left out to catch up. */
  readonly removedSamples: number;
  /** Silences within a turn; what was concealed is none. */
  readonly gapsOver20Ms: number;
  /** How long the first sound of the latest turn was held back. */
  readonly startDelayMs: number | undefined;
}

export interface JitterBuffer extends Playback {
  /** Where the turn's last sample has come; what is queued plays out without waiting for more. */
  readonly turnEnded: (turn: number) => void;
  /** Lowers the volume while the person makes a short sound over the answer, and raises it again. */
  readonly setDucked: (dipped: boolean) => void;
  readonly stats: () => PlayoutStats;
  /** What is known of the server now, to be handed in the next time. */
  readonly pace: () => ServerPace;
  /** Another server answers from the next turn on, of which this is known. */
  readonly setPace: (learned: ServerPace | undefined) => void;
}

interface Options extends PlaybackOptions {
  readonly clock: Clock;
  readonly speaker: Pick<Speaker, 'write' | 'flush' | 'heard' | 'queued' | 'setDuckGain'>;
  /** What a step is expected to take before any was seen: the session's chunk. */
  readonly stepMs: number;
  readonly pace?: ServerPace | undefined;
  /** A silence within a turn, told when it is over. */
  readonly gap?: ((ms: number) => void) | undefined;
}

/** Two clocks drift apart by less than this; a speaker that falls back further has truly paused. */
const toleranceMs = 100;

/**
 * A real speaker. A turn begins as soon as its sound can be expected to last until more comes:
 * docs/decisions/0012-adaptive-playback.md. How far it has been heard is what the device says; what was heard is
 * also handed on, on the session's time line, without what was put in between.
 */
export function createJitterBuffer(options: Options): JitterBuffer {
  const { rate, heard, clock, speaker, stepMs } = options;
  const queue = new PlayoutQueue();
  const feed = new SpeakerFeed({ rate, clock, speaker, queue, gap: options.gap });
  const pace = new ServerPaceTracker(stepMs, options.pace);
  const dip = new Ducking(clock, speaker.setDuckGain);
  const begunAt = speaker.heard();
  const msOf = (samples: number): number => (samples * 1000) / rate;
  let current: Turn | undefined;
  let startDelayMs: number | undefined;
  let position = 0;
  /** Of what was put in between, as much as has been made up for in the time line. */
  let madeUp = 0;

  /** How long the turn's sound would have to be made, to last as long as it should. */
  const lackMs = (turn: Turn, now: number): number => turn.lastsUntil - now - feed.leftMs;

  const start = (turn: Turn): void => {
    const now = clock.now();
    turn.cancel();
    turn.started = true;
    startDelayMs = now - turn.beganAt;
    let lack = lackMs(turn, now) - turn.heldMs;
    for (const samples of turn.held.splice(0)) lack -= feed.say(samples, lack);
    turn.heldMs = 0;
  };

  const hold = (turn: Turn, samples: Float32Array): void => {
    const now = clock.now();
    turn.held.push(samples);
    turn.heldMs += msOf(samples.length);
    turn.lastsUntil = now + pace.coverMs;
    const reach = turn.heldMs * (1 + maxStretch);
    const fromNow = lackMs(turn, now) > reach ? turn.lastsUntil - reach : now;
    turn.startAt = Math.min(turn.startAt, fromNow);
    turn.cancel();
    if (turn.startAt - now < 1) start(turn);
    else {
      turn.cancel = clock.after(turn.startAt - now, () => {
        start(turn);
      });
    }
  };

  const end = (): void => {
    if (current === undefined) return;
    // It is all there: nothing has to last any longer than it does.
    current.lastsUntil = 0;
    if (!current.started) start(current);
    feed.rest();
    pace.end();
    current = undefined;
  };

  const begin = (turn: number): Turn => {
    end();
    const now = clock.now();
    pace.begin(now);
    current = newTurn(turn, now);
    return current;
  };

  const follow = (): void => {
    queue.follow(speaker.heard() - begunAt, (samples) => {
      position += samples.length;
      heard(samples);
    });
  };

  return {
    write: (samples, turn) => {
      if (samples.length === 0) return;
      const goesOn = current?.turn === turn;
      const now = current !== undefined && goesOn ? current : begin(turn);
      queue.answer.add(samples, turn);
      if (goesOn) pace.goOn(clock.now(), msOf(samples.length));
      if (now.started) feed.say(samples, pace.marginMs - feed.leftMs);
      else hold(now, samples);
    },
    turnEnded: (turn) => {
      if (current?.turn === turn) end();
    },
    flush: () => {
      current?.cancel();
      current = undefined;
      pace.end();
      const played = speaker.flush().heard - begunAt;
      feed.silenced();
      return queue.cutAt(played);
    },
    advanceTo: (milliseconds) => {
      follow();
      const behind = Math.round((milliseconds * rate) / 1000) - position;
      const { putInHeard } = queue;
      const late = (toleranceMs * rate) / 1000 + putInHeard - madeUp;
      if (behind <= (queue.sounding ? late : 0)) return;
      madeUp = putInHeard;
      emitSilence(behind, heard);
      position += behind;
    },
    setDucked: (dipped) => {
      dip.to(dipped);
    },
    stats: () => ({
      bufferMs: feed.leftMs + (current?.heldMs ?? 0),
      targetMs: pace.marginMs,
      concealedSamples: feed.concealedSamples,
      concealmentEvents: feed.concealmentEvents,
      insertedSamples: feed.insertedSamples,
      removedSamples: 0,
      gapsOver20Ms: feed.gapsOver20Ms,
      startDelayMs,
    }),
    pace: () => pace.learned,
    setPace: (learned) => {
      pace.relearn(learned);
    },
    reachOf: (turn) => queue.answer.reachOf(turn),
    get queued() {
      return queue.answer.queued;
    },
    get drained() {
      return queue.answer.queued === 0;
    },
    get waitingTurns() {
      return queue.answer.turns;
    },
    get playhead() {
      return queue.answer.taken;
    },
  };
}

/** A turn that more sound may come of. */
interface Turn {
  readonly turn: number;
  readonly beganAt: number;
  /** Held back until it may start. */
  readonly held: Float32Array[];
  heldMs: number;
  started: boolean;
  startAt: number;
  /** Until when the sound that has come should last. */
  lastsUntil: number;
  cancel: () => void;
}

function newTurn(turn: number, beganAt: number): Turn {
  return {
    turn,
    beganAt,
    held: [],
    heldMs: 0,
    started: false,
    startAt: Infinity,
    lastsUntil: 0,
    cancel: () => undefined,
  };
}
