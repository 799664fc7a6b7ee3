import { failure } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { recordedServer } from '../../shared/history/recorded-server.ts';
import type { TalkRecord } from '../../shared/history/talk-record.ts';
import type { WrittenTape } from '../../shared/history/opened-talk-record.ts';
import { embeddedId } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointProfile } from '../../shared/settings/endpoint-profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { LoadedTape } from '../recorder/recording/load-tape.ts';
import type { FilmMakerDeps } from '../recorder/replay/film-maker-deps.ts';
import { wholeFilm } from '../recorder/replay/whole-film.ts';
import { addressOf } from './chosen-endpoint.ts';
import type { OwnWordsController } from './own-words-controller.ts';
import { TapedPhrases } from './taped-phrases.ts';

interface Deps {
  readonly clock: Clock;
  /** Of a date as it stands on a tape: milliseconds since 1970, or no number. */
  readonly timeOf: (date: string) => number;
  readonly record: (talk: string) => Promise<Outcome<TalkRecord>>;
  readonly loadTape: (talk: string) => Promise<Outcome<LoadedTape>>;
  readonly film: () => Promise<FilmMakerDeps>;
  readonly servers: () => readonly EndpointProfile[];
  readonly ownWords: Pick<OwnWordsController, 'writeTaped'>;
  /** How far it has come is another one. */
  readonly changed: (talk: string) => void;
}

/** So few are cut at a time, so that their sound need not all be held. */
const batch = 8;

/** The person's words of talks that are over, from their tapes. */
export class TapeWords {
  readonly #deps: Deps;
  readonly #writing = new Map<string, WrittenTape>();
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** How it stands with a talk of which somebody wanted it; its page asks. */
  stateOf(talk: string): WrittenTape | undefined {
    return this.#writing.get(talk);
  }

  /** Begins; what comes of it stands in the record by and by. */
  async write(talk: string): Promise<Outcome<undefined>> {
    const { record, loadTape, film } = this.#deps;
    if (this.#writing.get(talk)?.goesOn === true) return done;
    if ([...this.#writing.values()].some(({ goesOn }) => goesOn)) return failure('ownWordsBusy');
    const found = await record(talk);
    if (!found.ok) return found;
    const server = this.#serverOf(found.value);
    if (server === undefined) return failure('ownWordsServerGone');
    const tape = await loadTape(talk);
    if (!tape.ok) return tape;
    this.#tell(talk, { goesOn: true, written: 0 });
    void this.#write(talk, { server, begunAt: found.value.begunAt }, tape.value, await film());
    return done;
  }

  end(): void {
    this.#over = true;
  }

  async #write(
    talk: string,
    { server, begunAt }: { readonly server: string; readonly begunAt: number },
    { tape, leave }: LoadedTape,
    film: FilmMakerDeps,
  ): Promise<void> {
    const { clock, timeOf } = this.#deps;
    const pace = { clock, made: () => undefined, stopped: () => this.#over };
    const made = await wholeFilm(tape, film, pace);
    const recordedAt = timeOf(tape.header.recordedAt);
    // The tape begins when the server is looked for, the record when the talk is shown.
    const offset = Number.isFinite(recordedAt) ? recordedAt - begunAt : 0;
    const phrases = made.ok ? new TapedPhrases(made.value.film, tape, clock) : undefined;
    await leave();
    if (!made.ok) this.#tell(talk, { goesOn: false, written: 0, error: made.error });
    if (phrases === undefined) return;
    let written = 0;
    let error: AppError | undefined;
    while (!this.#over && error === undefined) {
      const some = await phrases.next(batch);
      if (some.length === 0) break;
      error = await this.#deps.ownWords.writeTaped(
        some.map(({ samples, begunAt: at }) => {
          const place = Math.max(0, Math.round(at + offset));
          return { talk, at: place, server, samples };
        }),
        () => {
          written += 1;
          this.#tell(talk, { goesOn: true, written });
        },
      );
    }
    this.#tell(talk, { goesOn: false, written, error });
  }

  /** The one that the talk was held with: nobody else gets its sound. */
  #serverOf({ server }: TalkRecord): string | undefined {
    if (server.address === undefined) return embeddedId;
    return this.#deps
      .servers()
      .find((each) => recordedServer(each.name, addressOf(each)).address === server.address)?.id;
  }

  #tell(talk: string, state: WrittenTape): void {
    this.#writing.set(talk, state);
    if (!this.#over) this.#deps.changed(talk);
  }
}

const done = { ok: true, value: undefined } as const;
