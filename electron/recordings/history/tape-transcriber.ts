import { type AppError, done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Clock, delay } from '../../../shared/ports/clock.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import {
  recordedServer,
  type TalkRecord,
  type TranscriptionProgress,
} from '../../../shared/recordings/talk-record.ts';
import {
  endpointAddress,
  builtInServer,
  type EndpointProfile,
} from '../../../shared/settings/connection-settings.ts';
import { VoiceModel } from '../../audio/detection/voice-model.ts';
import { SincResampler } from '../../audio/dsp/sinc-resampler.ts';
import type { UserTranscriptController } from '../../talk/user-transcript/user-transcript-controller.ts';
import { type CutPhrase, PhraseCutter } from '../../talk/user-transcript/phrase-cutter.ts';
import { renderTape, type TapeRendererDeps } from '../replay/tape-renderer.ts';
import type { RenderedTape } from '../replay/rendered-tape.ts';
import { listEvents } from '../replay/tape-lines.ts';
import type { LoadedTape } from '../tape/tape-archive.ts';
import type { Tape } from '../tape/tape.ts';
import type { UserTranscriptHandlers } from '../../../shared/ipc/talk-ipc.ts';
import { toOneLine } from '../../../shared/text.ts';

interface Deps {
  readonly clock: Clock;
  /** Parses a tape's date to milliseconds since 1970, or NaN. */
  readonly parseTime: (date: string) => number;
  readonly record: (talk: string) => Promise<Outcome<TalkRecord>>;
  /** Stores a record if the talk has only a tape, because the words are added to it. */
  readonly keepRecord: (talk: string) => Promise<Outcome<undefined>>;
  /** False once the user has deleted the record. */
  readonly hasRecord: (talk: string) => Promise<boolean>;
  readonly loadTape: (talk: string) => Promise<Outcome<LoadedTape>>;
  readonly rendering: () => Promise<TapeRendererDeps>;
  readonly servers: () => readonly EndpointProfile[];
  readonly userTranscript: Pick<UserTranscriptController, 'transcribeTaped'>;
  readonly onProgress: (talk: string) => void;
}

/** Phrases extracted at a time, to limit the sound in memory. */
const batchSize = 8;

/** Transcribes the user's words of stored talks from their tapes. */
export class TapeTranscriber {
  readonly #deps: Deps;
  readonly #progress = new Map<string, TranscriptionProgress>();
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  progressOf(talk: string): TranscriptionProgress | undefined {
    return this.#progress.get(talk);
  }

  /** Starts a transcription. Results appear in the record one by one. */
  async transcribe(talk: string): Promise<Outcome<undefined>> {
    const before = this.#progress.get(talk);
    if (before?.isRunning === true) return done;
    if ([...this.#progress.values()].some(({ isRunning }) => isRunning))
      return failure('ownWordsBusy');
    // Set before the tape is loaded, so that a request for another talk meanwhile is refused.
    this.#progress.set(talk, { isRunning: true, written: 0 });
    const begun = await this.#begin(talk);
    if (!begun.ok && before === undefined) this.#progress.delete(talk);
    else if (!begun.ok && before !== undefined) this.#progress.set(talk, before);
    return begun;
  }

  end(): void {
    this.#over = true;
  }

  async #begin(talk: string): Promise<Outcome<undefined>> {
    const { record, keepRecord, loadTape, rendering } = this.#deps;
    const found = await record(talk);
    if (!found.ok) return found;
    const server = this.#findServer(found.value);
    if (server === undefined) return failure('ownWordsServerGone');
    const tape = await loadTape(talk);
    if (!tape.ok) return tape;
    const kept = await keepRecord(talk);
    if (!kept.ok) {
      await tape.value.release();
      return kept;
    }
    this.#report(talk, { isRunning: true, written: 0 });
    void this.#transcribe(
      talk,
      { server, begunAt: found.value.begunAt },
      tape.value,
      await rendering(),
    );
    return done;
  }

  async #transcribe(
    talk: string,
    { server, begunAt }: { readonly server: string; readonly begunAt: number },
    { tape, release }: LoadedTape,
    rendering: TapeRendererDeps,
  ): Promise<void> {
    const { clock, parseTime } = this.#deps;
    const pace = { clock, onProgress: () => undefined, isStopped: () => this.#over };
    const made = await renderTape(tape, rendering, pace);
    const recordedAt = parseTime(tape.header.recordedAt);
    // The tape starts when the server is looked up, the record when the talk is shown.
    const offset = Number.isFinite(recordedAt) ? recordedAt - begunAt : 0;
    const phrases = made.ok ? new TapedPhrases(made.value.rendered, tape, clock) : undefined;
    await release();
    if (!made.ok) this.#report(talk, { isRunning: false, written: 0, error: made.error });
    if (phrases === undefined) return;
    let written = 0;
    let error: AppError | undefined;
    while (!this.#over && error === undefined) {
      const batch = await phrases.next(batchSize);
      // The server must not get the sound of a deleted talk.
      if (batch.length === 0 || !(await this.#deps.hasRecord(talk))) break;
      error = await this.#deps.userTranscript.transcribeTaped(
        batch.map(({ samples, begunAt: at }) => {
          const phraseAt = Math.max(0, Math.round(at + offset));
          return { talk, at: phraseAt, server, samples };
        }),
        () => {
          written += 1;
          this.#report(talk, { isRunning: true, written });
        },
      );
    }
    this.#report(talk, { isRunning: false, written, error });
  }

  /** Finds the server of the talk, because no other server may get its sound. */
  #findServer({ server }: TalkRecord): string | undefined {
    if (server.address === undefined) return builtInServer(server.name)?.id;
    return this.#deps
      .servers()
      .find((each) => recordedServer(each.name, endpointAddress(each)).address === server.address)
      ?.id;
  }

  #report(talk: string, state: TranscriptionProgress): void {
    this.#progress.set(talk, state);
    if (!this.#over) this.#deps.onProgress(talk);
  }
}

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const stepSamples = inputRate / 50;
const stepMs = 20;

/** Extracts the user's phrases from a tape, a few at a time. Times are those of the tape. */
class TapedPhrases {
  readonly #rendered: Pick<RenderedTape, 'microphone' | 'turns' | 'lengthMs'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #bargeIns: readonly TimeRange[];
  readonly #resampler = new SincResampler(outputRate, inputRate);
  readonly #cutter = new PhraseCutter((phrase) => this.#found.push(phrase));
  readonly #voice = new VoiceModel();
  readonly #found: CutPhrase[] = [];
  #atMs = 0;

  constructor(
    rendered: Pick<RenderedTape, 'microphone' | 'turns' | 'lengthMs'>,
    tape: Pick<Tape, 'lines'>,
    clock: Pick<Clock, 'after'>,
  ) {
    this.#rendered = rendered;
    this.#clock = clock;
    this.#bargeIns = listBargeIns(tape);
  }

  /** Returns at least `count` phrases unless the tape ends. Lets other work run after each second of tape. */
  async next(count: number): Promise<readonly CutPhrase[]> {
    while (this.#found.length < count && this.#atMs < this.#rendered.lengthMs) {
      this.#readSecond();
      if (this.#atMs >= this.#rendered.lengthMs) this.#cutter.finish();
      await delay(this.#clock, 0);
    }
    return this.#found.splice(0);
  }

  #readSecond(): void {
    const sound = new Float32Array(outputRate);
    this.#rendered.microphone.addTo(sound, (this.#atMs / 1000) * outputRate);
    const samples = this.#resampler.convert(sound);
    for (let from = 0, ms = this.#atMs; from < samples.length; from += stepSamples, ms += stepMs) {
      const part = samples.subarray(from, from + stepSamples);
      this.#voice.push(part);
      this.#cutter.push(part, ms + stepMs, this.#isUser(ms), this.#voice.likelihood);
    }
    this.#atMs += 1000;
  }

  /** While an answer was heard, only barge-ins count as the user's voice. */
  #isUser(at: number): boolean {
    return !isWithin(this.#rendered.turns, at) || isWithin(this.#bargeIns, at);
  }
}

function isWithin(ranges: readonly TimeRange[], at: number): boolean {
  return ranges.some(({ from, to }) => from <= at && at < to);
}

/** Ranges in which the user spoke over an answer, as detected during the talk. */
function listBargeIns({ lines }: Pick<Tape, 'lines'>): readonly TimeRange[] {
  const found: TimeRange[] = [];
  let from: number | undefined;
  for (const { at, event } of listEvents(lines)) {
    if (event?.kind !== 'bargeIn') continue;
    if (event.does === 'restore' && from !== undefined) found.push({ from, to: at });
    from = event.does === 'restore' ? undefined : (from ?? at);
  }
  return from === undefined ? found : [...found, { from, to: Infinity }];
}

interface TranscriptHandlerDeps {
  readonly userTranscript: Pick<UserTranscriptController, 'correct' | 'retry'>;
  readonly tapeTranscriber: Pick<TapeTranscriber, 'transcribe'>;
  readonly correctWords: (talk: string, at: number, text: string) => Promise<Outcome<undefined>>;
}

export function createUserTranscriptHandlers({
  userTranscript,
  tapeTranscriber,
  correctWords,
}: TranscriptHandlerDeps): UserTranscriptHandlers {
  return {
    correctUserPhrase: async ({ talk, at, text }) => {
      const words = toOneLine(text);
      if (userTranscript.correct(talk, at, words)) return undefined;
      return talk === undefined ? failure('ownWordsGone') : correctWords(talk, at, words);
    },
    writeTapeWords: ({ talk }) => tapeTranscriber.transcribe(talk),
    retryTranscription: () => userTranscript.retry(),
  };
}
