import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { TapeComparison } from '../../../shared/recordings/tape-comparison.ts';
import type { ExportOpener } from '../export/export-opener.ts';
import { type FilmMakerDeps, wholeFilm } from '../replay/film-maker.ts';
import type { OpenTape } from '../tape/open-tape.ts';
import { compareTalks } from './compare-talks.ts';
import { type MeasuredTalk, measureTalk } from './measure-talk.ts';

interface Deps {
  readonly exports: Pick<ExportOpener, 'openSource'>;
  readonly film: () => Promise<FilmMakerDeps>;
  readonly serverCodec: ServerCodec;
  readonly clientCodec: ClientCodec;
}

/** Compares tapes that lie anywhere. */
export class TapeComparer {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** How two tapes of the same talk differ. */
  readonly compareTapes = async (path: string, other: string): Promise<Outcome<TapeComparison>> => {
    const [one, two] = [await this.#measuredAt(path), await this.#measuredAt(other)];
    if (!one.ok) return one;
    if (!two.ok) return two;
    const [chat, alsoChat] = [one, two].map(({ value }) => value.measures.mode === 'chat');
    return chat === alsoChat
      ? { ok: true, value: compareTalks(one.value, two.value) }
      : failure('comparedKinds');
  };

  async #measuredAt(path: string): Promise<Outcome<MeasuredTalk>> {
    const opened = await this.#deps.exports.openSource(path);
    if (!opened.ok) return opened;
    const { source, leave } = opened.value;
    const tape = source.tape?.tape;
    const made = tape === undefined ? failure('notTape', { path }) : await this.#measured(tape);
    await leave();
    return made;
  }

  async #measured(tape: OpenTape): Promise<Outcome<MeasuredTalk>> {
    if (tape.header.mode === 'chat') {
      // The window compares spoken talks only.
      const { measureChat } = await import('./measure-chat.ts');
      const { serverCodec: ours, clientCodec: server } = this.#deps;
      return { ok: true, value: measureChat(tape, { ours, server }) };
    }
    const made = await wholeFilm(tape, await this.#deps.film());
    return made.ok ? { ok: true, value: measureTalk(made.value.film, tape.header) } : made;
  }
}
