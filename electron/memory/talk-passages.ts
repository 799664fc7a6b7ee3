import type {
  FindPassages,
  FoundPassage,
  TalkPassagesView,
} from '../../shared/memory/memory-view.ts';
import { contextTokens } from '../../shared/protocol/realtime-api.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import type { UserPhrase } from '../../shared/talk/talk-view.ts';
import { estimateTokens } from '../../shared/text.ts';

interface Deps {
  readonly find: FindPassages;
  /** The user deletes the talk or chat, and can still undo that. */
  readonly isWithheld: (ref: HistoryRef) => boolean;
  readonly onChanged: (view: TalkPassagesView) => void;
}

type Format = (found: readonly FoundPassage[]) => string | undefined;

/** Pauses can cut a question into this many phrases. */
const phrasesPerQuestion = 3;
/** The part of the context, without the instructions, that passages may fill. The carry-over and the talk need the rest. */
const maxShare = 1 / 8;

/**
 * Finds passages that the user's words in a talk refer to. They are sent with the next session only; later sessions get
 * that session's answer in the carry-over.
 */
export class TalkPassages {
  readonly #deps: Deps;
  #phrases: readonly UserPhrase[] = [];
  #found: readonly FoundPassage[] = [];
  /** Passages in the newest instructions. */
  #included: readonly FoundPassage[] = [];
  #isSent = false;
  /** Counts searches, so that the result of a slow one does not replace newer passages. */
  #searches = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get view(): TalkPassagesView {
    return { passages: this.#found.map(({ passage }) => passage), isSent: this.#isSent };
  }

  /** Drops the passages. Call when another talk begins, or when the user no longer lets Parley send passages. */
  begin(): void {
    this.#searches += 1;
    this.#phrases = [];
    this.#included = [];
    if (this.#found.length > 0) this.#show([]);
  }

  /** Searches with the user's newest words, once they are written down. */
  async onPhrase(phrase: UserPhrase): Promise<void> {
    if (phrase.state !== 'written' || phrase.text === '') return;
    const others = this.#phrases.filter(({ at }) => at !== phrase.at);
    this.#phrases = [...others, phrase].slice(-phrasesPerQuestion);
    const question = this.#phrases.filter(({ after }) => after === phrase.after);
    this.#searches += 1;
    const search = this.#searches;
    const found = await this.#deps.find(question.map(({ text }) => text).join(' '));
    if (search !== this.#searches || found.length === 0) return;
    if (!found.every((each) => this.#found.some((known) => isSame(known, each)))) this.#show(found);
  }

  /** The text to append to the next session's instructions; undefined if there is none. */
  text(format: Format, instructions = '', size = contextTokens): string | undefined {
    this.#included = [];
    if (this.#isSent) return undefined;
    const maxTokens = (size - estimateTokens(instructions)) * maxShare;
    const allowed = this.#found.filter(({ passage }) => !this.#deps.isWithheld(passage));
    for (let count = allowed.length; count > 0; count -= 1) {
      const part = allowed.slice(0, count);
      const text = format(part);
      if (text === undefined || estimateTokens(text) > maxTokens) continue;
      this.#included = part;
      return text;
    }
    return undefined;
  }

  /** The next session began with the text that `text` returned last. */
  onSessionBegan(): void {
    const included = this.#included;
    this.#included = [];
    // The user may have asked something else meanwhile.
    const isNewest = included.some((each) => this.#found.includes(each));
    if (isNewest) this.#show(included, true);
  }

  /** Leaves out the passages of a talk or chat; without an id, those of the whole kind. */
  leaveOut({ kind, id }: Pick<HistoryRef, 'kind'> & Partial<HistoryRef>): void {
    const found = this.#found.filter(
      ({ passage }) => passage.kind !== kind || (id !== undefined && passage.id !== id),
    );
    if (found.length < this.#found.length) this.#show(found, this.#isSent);
  }

  #show(found: readonly FoundPassage[], isSent = false): void {
    this.#found = found;
    this.#isSent = isSent;
    this.#deps.onChanged(this.view);
  }
}

function isSame({ passage: one }: FoundPassage, { passage: other }: FoundPassage): boolean {
  return one.kind === other.kind && one.id === other.id;
}
