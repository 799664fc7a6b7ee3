import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { type Page, PageHold } from '../../../shared/ipc/page.ts';
import type { ReplayHandlers } from '../../../shared/ipc/recordings-ipc.ts';
import { type Answer, outcomeOf } from '../../../shared/ipc/request-definition.ts';
import { recordTitle } from '../../../shared/recordings/history-item.ts';
import type {
  ReplayOrigin,
  ReplaySource,
  ReplayView,
} from '../../../shared/recordings/replay-view.ts';
import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import type { OwnPhrase } from '../../../shared/talk/own-words.ts';
import type { LoadedTape, TapeFinder } from '../tape/open-tape.ts';
import { ActiveReplay, type ActiveReplayDeps } from './active-replay.ts';

interface Deps extends Omit<ActiveReplayDeps, 'carryOver' | 'ownPhrases'> {
  readonly tapes: TapeFinder;
  /** What is kept as text of the talk whose tape it is. */
  readonly textOf: (tape: string) => Promise<Outcome<TalkRecord>>;
  /** Of a date as it stands on a tape: milliseconds since 1970, or no number. */
  readonly timeOf: (date: string) => number;
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
}

/** The one replay of this Parley: what pages ask of it, and what is posted to them. */
export class ReplayController {
  readonly #deps: Deps;
  #view: Exclude<ReplayView, { readonly kind: 'open' }> = { kind: 'none' };
  #shown: ActiveReplay | undefined;
  /** Nothing plays for a page that has gone. */
  readonly #playing = new PageHold();
  /** Counts what was opened: what comes of an older one is too late. */
  #opened = 0;

  readonly handlers: ReplayHandlers = {
    replay: () => this.view,
    openReplay: (source) => this.#openSource(source),
    playReplay: (_input, page) => this.#withReplay((rendered) => this.#play(rendered, page)),
    pauseReplay: () => this.#withReplay(({ player }) => player.pause()),
    setReplaySpeed: ({ speed }) => this.#withReplay(({ player }) => player.setSpeed(speed)),
    seekReplay: ({ at }) =>
      this.#withReplay(({ player }) => {
        player.seek(at);
      }),
    seekReplayWord: ({ turn, letter }) =>
      this.#withReplay((rendered) => {
        rendered.seekLetter(turn, letter);
      }),
    stepReplay: ({ to, way }) =>
      this.#withReplay((rendered) => {
        rendered.step(to, way);
      }),
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

  /** Where the tape lies that is open. */
  get path(): string | undefined {
    return this.#shown?.path;
  }

  /** What a person dropped, picked, or named in a command; how that went is posted. */
  async openPath(path: string): Promise<Outcome<undefined>> {
    const origin = { kind: 'file', name: nameOf(path) } as const;
    const opened = await this.#open(origin, () => this.#deps.tapes.atPath(path));
    if (!opened.ok) this.#become({ kind: 'failed', origin, error: opened.error });
    return opened;
  }

  async end(): Promise<void> {
    this.#opened += 1;
    this.#playing.release();
    const shown = this.#shown;
    this.#shown = undefined;
    await shown?.end();
  }

  async #withReplay(
    act: (rendered: ActiveReplay) => Answer<undefined> | Promise<Answer<undefined>>,
  ): Promise<Outcome<undefined>> {
    return this.#shown === undefined ? failure('noReplay') : outcomeOf(await act(this.#shown));
  }

  async #openSource(source: ReplaySource): Promise<Outcome<undefined>> {
    const { tapes } = this.#deps;
    const opened = await this.#open(source, () =>
      source.kind === 'tape' ? tapes.kept(source.tape) : tapes.example(source.example),
    );
    if (!opened.ok) this.#become({ kind: 'none' });
    return opened;
  }

  async #play(shown: ActiveReplay, page: Page): Promise<Outcome<undefined>> {
    const started = await shown.player.start();
    if (started.ok && shown === this.#shown)
      this.#playing.hold(page, () => void shown.player.pause());
    return started;
  }

  async #open(
    origin: ReplayOrigin,
    find: () => Promise<Outcome<LoadedTape>>,
  ): Promise<Outcome<undefined>> {
    await this.#close({ kind: 'opening', origin });
    const mine = this.#opened;
    const found = await find();
    if (!found.ok) return mine === this.#opened ? found : done;
    const { tape } = found.value;
    const { mode } = tape.header;
    const carryOver = await this.#deps.carryOverMessages();
    const kept = await this.#keptText(found.value);
    if (mine !== this.#opened || mode === 'chat') {
      await found.value.leave();
      return mine === this.#opened ? failure('replayOfChat') : done;
    }
    const facts = { mode, title: kept === undefined ? '' : recordTitle(kept) };
    this.#shown = new ActiveReplay(origin, facts, found.value, {
      ...this.#deps,
      carryOver,
      ownPhrases:
        kept === undefined ? [] : ownPhrasesOf(kept, this.#deps.timeOf(tape.header.recordedAt)),
    });
    this.#deps.post('replayChanged', this.#shown.view);
    this.#shown.make();
    return done;
  }

  /** Only of a tape that is kept here: what comes from elsewhere has no text. */
  async #keptText({ path }: LoadedTape): Promise<TalkRecord | undefined> {
    const { tapes, textOf } = this.#deps;
    const name = tapes.nameOf(path);
    const text = name === undefined ? undefined : await textOf(name);
    return text?.ok === true ? text.value : undefined;
  }

  async #close(next: Exclude<ReplayView, { readonly kind: 'open' }>): Promise<void> {
    await this.end();
    this.#become(next);
  }

  #become(view: Exclude<ReplayView, { readonly kind: 'open' }>): void {
    this.#view = view;
    // Another one may have been opened meanwhile.
    if (this.#shown === undefined) this.#deps.post('replayChanged', view);
  }
}

/** The last part of a path, of any system. */
function nameOf(path: string): string {
  return path.split(/[/\\]/u).findLast((part) => part !== '') ?? path;
}

/** The person's words of a talk's text, at the times of its tape, which begins a moment before the talk is shown. */
function ownPhrasesOf(
  { turns, begunAt }: Pick<TalkRecord, 'turns' | 'begunAt'>,
  /** In milliseconds since 1970; no number where the tape does not say. */
  recordedAt: number,
): readonly OwnPhrase[] {
  const offset = Number.isFinite(recordedAt) ? begunAt - recordedAt : 0;
  return turns
    .flatMap(({ by, at, text, transcribed }): readonly OwnPhrase[] => {
      const place = Math.round(at + offset);
      // A tape of the last minutes begins later than its talk.
      if (by !== 'person' || text === '' || place < 0) return [];
      const written = transcribed ?? 'corrected';
      return [
        { at: place, seconds: 0, after: undefined, state: 'written', text, transcribed: written },
      ];
    })
    .toSorted((one, other) => one.at - other.at);
}
