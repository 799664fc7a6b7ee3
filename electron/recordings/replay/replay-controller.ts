import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { noPage, type Page, PageCleanup } from '../../../shared/ipc/page.ts';
import type { ReplayHandlers } from '../../../shared/ipc/recordings-ipc.ts';
import { type Answer, toOutcome } from '../../../shared/ipc/request-definition.ts';
import { recordTitle } from '../../../shared/recordings/history-item.ts';
import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import type {
  ReplayOrigin,
  ReplaySource,
  ReplayView,
} from '../../../shared/recordings/replay-view.ts';
import type { UserPhrase } from '../../../shared/talk/talk-view.ts';
import { lastPathPart, type LoadedTape, type TapeFinder } from '../tape/tape-archive.ts';
import { ActiveReplay, type ActiveReplayDeps } from './active-replay.ts';

interface Deps extends Omit<ActiveReplayDeps, 'carryOver' | 'userPhrases'> {
  readonly tapes: TapeFinder;
  /** The stored text of the talk that this tape recorded. */
  readonly findRecord: (tape: string) => Promise<Outcome<TalkRecord>>;
  /** Parses the header's date to milliseconds since 1970, or NaN. */
  readonly parseTime: (date: string) => number;
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
}

/** Answers the replay requests of pages. There is one replay at a time. */
export class ReplayController {
  readonly #deps: Deps;
  #view: Exclude<ReplayView, { readonly kind: 'open' }> = { kind: 'none' };
  #shown: ActiveReplay | undefined;
  /** Pauses playback when the page that started it closes. */
  readonly #pageCleanup = new PageCleanup();
  /** Rises when a tape is opened or closed; an opening that began before then has no effect. */
  #generation = 0;

  readonly handlers: ReplayHandlers = {
    replay: () => this.view,
    openReplay: (source) => this.#openSource(source),
    playReplay: (_input, page) => this.#withReplay((replay) => this.#play(replay, page)),
    pauseReplay: () => this.#withReplay(({ player }) => player.pause()),
    setReplaySpeed: ({ speed }) => this.#withReplay(({ player }) => player.setSpeed(speed)),
    seekReplay: ({ at }) => this.#withReplay(({ player }) => player.seek(at)),
    seekReplayWord: ({ turn, letter }) =>
      this.#withReplay((replay) => replay.seekCharacter(turn, letter)),
    stepReplay: ({ to, way }) => this.#withReplay((replay) => replay.step(to, way)),
    replayPicture: ({ picture }) => {
      const jpeg = this.#shown?.picture(picture);
      if (jpeg !== undefined) return { jpeg };
      return failure(this.#shown === undefined ? 'noReplay' : 'mediaGone');
    },
    closeReplay: () => this.#close({ kind: 'none' }),
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get view(): ReplayView {
    return this.#shown?.view ?? this.#view;
  }

  get path(): string | undefined {
    return this.#shown?.path;
  }

  /**
   * Opens and plays a tape the user dropped, picked or named in a command, and posts the result. It stays paused if the
   * speaker cannot be opened, for example during a talk.
   */
  async openPath(path: string): Promise<Outcome<undefined>> {
    const origin = { kind: 'file', name: lastPathPart(path) } as const;
    const opened = await this.#open(origin, () => this.#deps.tapes.openAt(path));
    if (opened.ok) await this.#withReplay((replay) => this.#play(replay, noPage));
    else this.#setView({ kind: 'failed', origin, error: opened.error });
    return opened;
  }

  async end(): Promise<void> {
    this.#generation += 1;
    this.#pageCleanup.clear();
    const shown = this.#shown;
    this.#shown = undefined;
    await shown?.end();
  }

  async #withReplay(
    act: (replay: ActiveReplay) => Answer<undefined> | Promise<Answer<undefined>>,
  ): Promise<Outcome<undefined>> {
    return this.#shown === undefined ? failure('noReplay') : toOutcome(await act(this.#shown));
  }

  async #openSource(source: ReplaySource): Promise<Outcome<undefined>> {
    const { tapes } = this.#deps;
    const opened = await this.#open(source, () =>
      source.kind === 'tape' ? tapes.openStored(source.tape) : tapes.openExample(source.example),
    );
    if (!opened.ok) this.#setView({ kind: 'none' });
    return opened;
  }

  async #play(shown: ActiveReplay, page: Page): Promise<Outcome<undefined>> {
    const started = await shown.player.start();
    if (started.ok && shown === this.#shown)
      this.#pageCleanup.set(page, () => void shown.player.pause());
    return started;
  }

  async #open(
    origin: ReplayOrigin,
    find: () => Promise<Outcome<LoadedTape>>,
  ): Promise<Outcome<undefined>> {
    const closed = this.#close({ kind: 'opening', origin });
    // Read before the wait, in which a newer opening may begin.
    const generation = this.#generation;
    await closed;
    const found = await find();
    if (!found.ok) return generation === this.#generation ? found : done;
    const { tape } = found.value;
    const { mode } = tape.header;
    const carryOver = await this.#deps.carryOverMessages();
    const storedText = await this.#readStoredText(found.value);
    if (generation !== this.#generation || mode === 'chat') {
      await found.value.release();
      return generation === this.#generation ? failure('replayOfChat') : done;
    }
    const facts = { mode, title: storedText === undefined ? '' : recordTitle(storedText) };
    this.#shown = new ActiveReplay(origin, facts, found.value, {
      ...this.#deps,
      carryOver,
      userPhrases:
        storedText === undefined
          ? []
          : toUserPhrases(storedText, this.#deps.parseTime(tape.header.recordedAt)),
    });
    this.#deps.post('replayChanged', this.#shown.view);
    this.#shown.startRendering();
    return done;
  }

  /** Only tapes in the tapes folder can have a stored text. */
  async #readStoredText({ path }: LoadedTape): Promise<TalkRecord | undefined> {
    const { tapes, findRecord } = this.#deps;
    const name = tapes.storedName(path);
    const record = name === undefined ? undefined : await findRecord(name);
    return record?.ok === true ? record.value : undefined;
  }

  async #close(next: Exclude<ReplayView, { readonly kind: 'open' }>): Promise<void> {
    await this.end();
    this.#setView(next);
  }

  #setView(view: Exclude<ReplayView, { readonly kind: 'open' }>): void {
    this.#view = view;
    // A newer tape may have been opened in the meantime.
    if (this.#shown === undefined) this.#deps.post('replayChanged', view);
  }
}

/**
 * The user's words from the talk's text. Their times are shifted, because a tape begins shortly before its talk or, if
 * it was saved from the buffer, later.
 */
function toUserPhrases(
  { turns, begunAt }: Pick<TalkRecord, 'turns' | 'begunAt'>,
  /** Milliseconds since 1970, or NaN if the tape does not say. */
  recordedAt: number,
): readonly UserPhrase[] {
  const offset = Number.isFinite(recordedAt) ? begunAt - recordedAt : 0;
  return turns
    .flatMap(({ by, at, text, transcribed }): readonly UserPhrase[] => {
      const phraseAt = Math.round(at + offset);
      // A tape that keeps only the last minutes begins later than its talk.
      if (by !== 'person' || text === '' || phraseAt < 0) return [];
      const written = transcribed ?? 'corrected';
      return [
        {
          at: phraseAt,
          seconds: 0,
          after: undefined,
          state: 'written',
          text,
          transcribed: written,
        },
      ];
    })
    .toSorted((one, other) => one.at - other.at);
}
