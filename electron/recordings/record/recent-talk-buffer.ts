import { encodeSamples } from '../../../shared/audio/wav.ts';
import { done, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Clock, delay } from '../../../shared/ports/clock.ts';
import type { TapeHeader } from '../tape/tape.ts';
import type { TalkSide } from './stereo-recorder.ts';
import { countCharacters, TalkSnapshot } from './talk-snapshot.ts';
import { openTapeRecorder, type TapeRecorderDeps } from './tape-files-recorder.ts';
import { renumberEntry, type TapeEntry, type TapeRecorder } from './tape-recorder.ts';

const maxBufferedMs = 120_000;
/**
 * Enough for four minutes of sound, at 15 MB a minute. Old parts are dropped only at a silence, so the buffer can become
 * longer than two minutes.
 */
const defaultMaxBytes = 64_000_000;
/** Once no answer was heard for this long, a part may begin at the next frame that is sent. */
const silenceMs = 1000;
/** If the silence lasts this long from there on, the part begins, so that the one before can be dropped. */
const longSilenceMs = 5000;
/** Entries written before other work gets a turn. */
const batchSize = 40;
const eventBytes = 200;

/** An entry, or sound as 16-bit samples, which take half the space of floats. */
type BufferedContent =
  | TapeEntry
  | { readonly dir: 'sound'; readonly who: TalkSide; readonly pcm: Int16Array };

interface BufferedEntry {
  readonly at: number;
  readonly bytes: number;
  readonly content: BufferedContent;
}

/** A part starts while no answer is playing, so a tape can begin there, unless the part before exceeded the limit. */
interface BufferedPart {
  readonly from: number;
  /** How many turns came before. */
  turns: number;
  /** Samples of the next turn that came before, if the part begins within it. */
  missingSamples: number;
  readonly entries: BufferedEntry[];
}

/** Keeps the last two minutes of a talk in memory. It writes to disk only on request. */
export class RecentTalkBuffer implements TapeRecorder {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #before = new TalkSnapshot();
  #parts: BufferedPart[];
  #bytes = 0;
  #turn = 0;
  /** The newest answer that the server sent, which may not be heard yet. */
  #answer = { turn: 0, samples: 0 };
  #heardAt = -Infinity;
  #cut: { readonly index: number; readonly at: number } | undefined;
  #closed = false;

  constructor(clock: Clock, maxBytes = defaultMaxBytes) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.#parts = [{ from: clock.now(), turns: 0, missingSamples: 0, entries: [] }];
  }

  countAnswer(turn: number, samples: number): void {
    const before = this.#answer.turn === turn ? this.#answer.samples : 0;
    this.#answer = { turn, samples: before + samples };
    const part = this.#parts.at(-1);
    if (part === undefined) return;
    // An empty part begins after the sound that is counted.
    if (part.entries.length === 0) part.turns = turn;
    else if (turn === part.turns) {
      // The turn goes on in a part that was to begin after it.
      part.turns = turn - 1;
      part.missingSamples = before;
    }
  }

  record(entry: TapeEntry): void {
    if (entry.dir === 'out') this.#findCut();
    if (entry.dir === 'event' && entry.event.kind === 'heard') this.#onHeard(entry.event.turn);
    this.#buffer(entry.dir === 'event' ? eventBytes : countCharacters(entry), entry);
  }

  addSound(who: TalkSide, samples: Float32Array): void {
    const pcm = new Int16Array(encodeSamples(samples, 'pcm16').buffer);
    this.#buffer(pcm.byteLength, { dir: 'sound', who, pcm });
  }

  get milliseconds(): number {
    const now = this.#clock.now();
    return now - (this.#parts[0]?.from ?? now);
  }

  close(): Promise<Outcome<undefined>> {
    this.#closed = true;
    this.#parts = [];
    return Promise.resolve(done);
  }

  /** Writes the buffer as a tape to a new or empty folder; returns its length. */
  async writeTo(
    folder: string,
    header: TapeHeader,
    deps: TapeRecorderDeps,
  ): Promise<Outcome<{ readonly seconds: number }>> {
    const preamble = this.#before.preamble();
    const [first] = this.#parts;
    const entries = this.#parts.flatMap((part) => part.entries);
    const until = this.#clock.now();
    let at = first?.from ?? until;
    const seconds = Math.round((until - at) / 1000);
    const clock: Clock = {
      now: () => at,
      after: (milliseconds, run) => deps.clock.after(milliseconds, run),
    };
    const opened = await openTapeRecorder(folder, header, { ...deps, clock });
    if (!opened.ok) return opened;
    const tape = opened.value;
    for (const entry of preamble.entries) tape.record(entry);
    for (const [n, { at: enteredAt, content }] of entries.entries()) {
      at = enteredAt;
      if (content.dir === 'sound') tape.addSound(content.who, toFloats(content.pcm));
      else if (content.dir === 'event' && content.event.kind === 'heard') {
        const event = first === undefined ? undefined : heardIn(first, content.event);
        if (event !== undefined) tape.record({ dir: 'event', event });
      } else tape.record(renumberEntry(content, preamble.before));
      if (n % batchSize === batchSize - 1) await delay(deps.clock, 0);
    }
    at = until;
    const closed = await tape.close();
    return closed.ok ? { ok: true, value: { seconds } } : closed;
  }

  #buffer(bytes: number, content: BufferedContent): void {
    if (this.#closed) return;
    this.#parts.at(-1)?.entries.push({ at: this.#clock.now(), bytes, content });
    this.#bytes += bytes;
    this.#dropOld();
  }

  /**
   * Called when sound of a turn is heard. If the turn is new, a part begins at the silence before it. Otherwise the silence
   * was a pause within the turn, and no part can begin there.
   */
  #onHeard(turn: number): void {
    if (turn > this.#turn) {
      this.#beginPart();
      this.#turn = turn;
    }
    this.#cut = undefined;
    this.#heardAt = this.#clock.now();
  }

  #findCut(): void {
    const now = this.#clock.now();
    if (this.#cut !== undefined && now - this.#cut.at >= longSilenceMs) this.#beginPart();
    if (now - this.#heardAt >= silenceMs)
      this.#cut ??= { index: this.#parts.at(-1)?.entries.length ?? 0, at: now };
  }

  #beginPart(): void {
    const part = this.#parts.at(-1);
    const cut = this.#cut;
    this.#cut = undefined;
    if (part === undefined || cut === undefined || cut.index === 0) return;
    const entries = part.entries.splice(cut.index);
    this.#parts.push({ from: cut.at, turns: this.#turn, missingSamples: 0, entries });
  }

  #dropOld(): void {
    const oldest = this.#clock.now() - maxBufferedMs;
    for (;;) {
      const [first, second] = this.#parts;
      const isOld = second !== undefined && second.from <= oldest;
      if (first === undefined || !(isOld || this.#bytes > this.#maxBytes)) return;
      for (const { bytes, content } of first.entries) {
        if (content.dir !== 'sound') this.#before.record(content);
        this.#bytes -= bytes;
      }
      this.#parts.shift();
      if (second !== undefined) continue;
      const { turn: turns } = this.#answer;
      this.#parts = [{ from: this.#clock.now(), turns, missingSamples: 0, entries: [] }];
      this.#cut = undefined;
    }
  }
}

type Heard = Extract<
  Extract<TapeEntry, { readonly dir: 'event' }>['event'],
  { readonly kind: 'heard' }
>;

/** The event in the counts of a tape that begins with this part; undefined if the tape lacks what was heard. */
function heardIn({ turns, missingSamples }: BufferedPart, event: Heard): Heard | undefined {
  const turn = event.turn - turns;
  const samples = turn === 1 ? event.samples - missingSamples : event.samples;
  return turn > 0 && samples > 0 ? { ...event, turn, samples } : undefined;
}

function toFloats(pcm: Int16Array): Float32Array {
  const floats = new Float32Array(pcm.length);
  for (let n = 0; n < pcm.length; n += 1) floats[n] = (pcm[n] ?? 0) / 32_768;
  return floats;
}
