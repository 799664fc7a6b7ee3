import type { DuplexMode } from '../../shared/protocol/dialect-and-mode.ts';
import type {
  OpenReplay,
  ReplayFacts,
  ReplayOrigin,
  ReplayStop,
} from '../../shared/replay/replay-view.ts';
import type { Clock } from '../ports/clock.ts';
import { FilmMaker } from '../recorder/replay/film-maker.ts';
import type { FilmMakerDeps } from '../recorder/replay/film-maker-deps.ts';
import { stepFrom, timeOfLetter } from '../recorder/replay/film-stops.ts';
import { wireBetween } from '../recorder/replay/film-wire.ts';
import { picturesOf } from '../recorder/replay/tape-lines.ts';
import { ReplayPlayer } from './replay-player.ts';
import type { ReplaySpeakerDeps } from './replay-speaker.ts';
import type { LoadedTape } from '../recorder/recording/load-tape.ts';
import { TalkPublisher } from './talk-publisher.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

export interface ShownFilmDeps
  extends
    Pick<FilmMakerDeps, 'codec' | 'openSession' | 'carryOver' | 'ownPhrases'>,
    Pick<ReplaySpeakerDeps, 'createSpeaker' | 'lock' | 'audio'> {
  readonly clock: Clock;
  readonly post: PostNotice;
  /** A page watches the wire. */
  readonly wireWatched: () => boolean;
}

/** The loop is held no longer at a time: sound and pages want to go on. */
const sliceMs = 12;
/** Half of the time is everybody else's. */
const restMs = 4;
const timelineEveryMs = 500;

/** A tape that is open to be played: its film, as it is made, and the cursor over it. */
export class ShownFilm {
  readonly player: ReplayPlayer;
  readonly #origin: ReplayOrigin;
  readonly #facts: ReplayFacts;
  readonly #tape: LoadedTape;
  readonly #maker: FilmMaker;
  readonly #deps: ShownFilmDeps;
  #postedAt: number;
  #stopMaking: () => void = () => undefined;
  #ended = false;

  constructor(
    origin: ReplayOrigin,
    { mode, title }: { readonly mode: DuplexMode; readonly title: string },
    opened: LoadedTape,
    deps: ShownFilmDeps,
  ) {
    const { tape } = opened;
    const { endpoint, recordedAt } = tape.header;
    this.#origin = origin;
    this.#facts = {
      mode,
      endpoint,
      recordedAt,
      cut: tape.cut,
      damage: tape.damage,
      ...(title !== '' && { title }),
    };
    this.#tape = opened;
    this.#deps = deps;
    this.#maker = new FilmMaker(tape, mode, {
      ...deps,
      openPublisher: (post) => new TalkPublisher(post),
    });
    const { film } = this.#maker;
    this.#postedAt = deps.clock.now();
    this.player = new ReplayPlayer(film, {
      ...deps,
      passed: (after, until) => {
        if (!deps.wireWatched()) return;
        const batch = wireBetween(tape.lines, mode, after, until);
        if (batch.frames.length > 0) deps.post('replayWire', batch);
      },
    });
  }

  get path(): string {
    return this.#tape.path;
  }

  get view(): OpenReplay {
    const { film } = this.#maker;
    const { play } = this.player;
    return {
      kind: 'open',
      origin: this.#origin,
      facts: this.#facts,
      timeline: film.timeline(),
      play,
      scene: film.sceneAt(play.at),
    };
  }

  /** Makes the film, a slice at a time, until it is whole. */
  make(): void {
    void this.#makeSlice();
  }

  seekLetter(turn: number, letter: number): void {
    const at = timeOfLetter(this.#maker.film, turn, letter);
    if (at !== undefined) this.player.seek(at);
  }

  step(to: ReplayStop, way: 'next' | 'previous'): void {
    const { at, playing } = this.player.play;
    const found = stepFrom(this.#maker.film, at, to, way, playing);
    if (found !== undefined) this.player.seek(found);
  }

  picture(picture: number): Uint8Array | undefined {
    const line = this.#maker.pictureLine(picture);
    return line === undefined
      ? undefined
      : picturesOf(this.#tape.tape, line, this.#deps.codec).at(-1);
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#stopMaking();
    await this.player.end();
    await this.#tape.leave();
  }

  async #makeSlice(): Promise<void> {
    const { clock, post } = this.#deps;
    const began = clock.now();
    const more = await this.#maker.make(() => this.#ended || clock.now() - began > sliceMs);
    if (this.#ended) return;
    this.player.grown();
    if (!more || clock.now() - this.#postedAt >= timelineEveryMs) {
      this.#postedAt = clock.now();
      post('replayTimeline', this.#maker.film.timeline());
    }
    if (!more) return;
    this.#stopMaking = clock.after(restMs, () => {
      void this.#makeSlice();
    });
  }
}
