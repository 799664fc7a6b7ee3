import { foldText } from '../../shared/fold-text.ts';
import type {
  FindPassages,
  FoundPassage,
  PassageExclusions,
} from '../../shared/memory/past-passage.ts';
import type { WallClock } from '../../shared/ports/clock.ts';
import type { HistoryItem, HistoryRef } from '../../shared/recordings/history-item.ts';
import { cleanSentence } from '../../shared/memory/clean-sentence.ts';
import type { HistoryLibrary } from '../recordings/history/history-library.ts';
import { readPastQuestion } from './past-question.ts';

interface Deps {
  readonly history: Pick<HistoryLibrary, 'list' | 'search' | 'read'>;
  readonly wallClock: WallClock;
  /** Whether the user lets Parley send passages. */
  readonly isOn: () => boolean;
}

const maxPassages = 2;
/** Limit on the characters of a passage. */
const maxLength = 400;
/** Limit on the hits that are read for each word. A word with more hits is too common to matter. */
const hitsPerWord = 40;

const keyOf = ({ kind, id }: HistoryRef): string => `${kind} ${id}`;

/** Finds passages of stored talks and chats that a message refers to, by rules and the index. */
export class PassageFinder {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The best two passages; none if the message does not refer to the past. */
  readonly find: FindPassages = async (message, exclusions: PassageExclusions = {}) => {
    const { openChat, leaveOut = [] } = exclusions;
    if (!this.#deps.isOn()) return [];
    const question = readPastQuestion(message, this.#deps.wallClock());
    if (question === undefined) return [];
    const found =
      question.words.length === 0 ? await this.#newest() : await this.#rank(question.words);
    const allowed = found.filter(
      (item) =>
        !(item.kind === 'chat' && item.id === openChat) &&
        !(item.kind === 'talk' && item.ending === 'goesOn') &&
        item.at >= (question.since ?? 0),
    );
    const excluded = new Set(leaveOut.map(keyOf));
    const chosen = allowed.slice(0, maxPassages).filter((item) => !excluded.has(keyOf(item)));
    const passages = await Promise.all(chosen.map((item) => this.#read(item, question.words)));
    return passages.filter((passage) => passage !== undefined);
  };

  async #newest(): Promise<readonly HistoryItem[]> {
    const listed = await this.#deps.history.list({ skip: 0, count: hitsPerWord, filter: {} });
    return listed.ok ? listed.value.entries : [];
  }

  /** Sorts items by the number of words that they contain. A rare word counts more. Among equals, the newest is first. */
  async #rank(words: readonly string[]): Promise<readonly HistoryItem[]> {
    const scores = new Map<string, { readonly item: HistoryItem; score: number }>();
    const part = { skip: 0, count: hitsPerWord, filter: {} };
    for (const word of words) {
      const hits = await this.#deps.history.search(word, part);
      if (!hits.ok) continue;
      const weight = 1 + 1 / Math.max(1, hits.value.total);
      for (const { item } of hits.value.entries) {
        const known = scores.get(keyOf(item));
        if (known === undefined) scores.set(keyOf(item), { item, score: weight });
        else known.score += weight;
      }
    }
    return [...scores.values()]
      .toSorted((one, other) => other.score - one.score || other.item.at - one.item.at)
      .map(({ item }) => item);
  }

  async #read(item: HistoryItem, words: readonly string[]): Promise<FoundPassage | undefined> {
    const document = await this.#deps.history.read(item);
    if (!document.ok) return undefined;
    // The other texts are not words of the conversation, but names of servers.
    const texts = document.value.texts.filter(
      ({ turn, chatTurn }) => (turn ?? chatTurn) !== undefined,
    );
    const matches = texts.map(({ text }) => {
      const folded = foldText(text);
      return words.filter((word) => folded.includes(word)).length;
    });
    const best = matches.indexOf(Math.max(0, ...matches));
    const match = texts[best];
    if (match === undefined) return undefined;
    const text = [match, texts[best + 1]]
      .flatMap((each) => (each === undefined ? [] : [shorten(each.text, words)]))
      .join(' / ');
    const { kind, id, at, title, firstWords } = item;
    const { turn, chatTurn } = match;
    const name = title.trim() === '' ? firstWords : title;
    return { passage: { kind, id, at, title: name.slice(0, 200), turn, chatTurn }, text };
  }
}

/** Cuts the text to one line that begins shortly before the first of the words. */
function shorten(text: string, words: readonly string[]): string {
  const folded = foldText(text);
  const indices = words.map((word) => folded.indexOf(word)).filter((index) => index >= 0);
  const from = Math.max(0, Math.min(...indices, text.length) - maxLength / 3);
  const start = indices.length === 0 ? 0 : from;
  const part = text.slice(start, start + maxLength);
  const line = cleanSentence(part);
  return `${start > 0 ? '…' : ''}${line}${start + maxLength < text.length ? '…' : ''}`;
}
