import { foldText } from '../../shared/text.ts';
import type {
  FindPassages,
  FoundPassage,
  PassageExclusions,
} from '../../shared/memory/memory-view.ts';
import type { WallClock } from '../../shared/ports/clock.ts';
import { type HistoryItem, historyKey } from '../../shared/recordings/history-item.ts';
import { cleanSentence } from '../../shared/memory/memory-file.ts';
import type { HistoryLibrary } from '../recordings/history/history-library.ts';
import { formatLocalTime, splitQuery } from '../recordings/history/history-index.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';

interface Deps {
  readonly history: Pick<HistoryLibrary, 'list' | 'search' | 'read' | 'isWithheld'>;
  readonly wallClock: WallClock;
  /** Whether the user lets Parley send passages. */
  readonly isOn: () => boolean;
}

const maxPassages = 2;
/** Limit on the characters of each text of a passage: the match and the text after it. */
const maxLength = 400;
/** Only the first hits of each word are ranked, so a common word takes no longer. */
const hitsPerWord = 40;

/** Finds passages of stored talks and chats that a message refers to, by rules and the index. */
export class PassageFinder {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** At most two passages; none if the user does not allow passages or the message does not refer to the past. */
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
        !(item.kind === 'talk' && item.ending === 'running') &&
        !this.#deps.history.isWithheld(item) &&
        item.at >= (question.since ?? 0),
    );
    const excluded = new Set(leaveOut.map(historyKey));
    const chosen = allowed.slice(0, maxPassages).filter((item) => !excluded.has(historyKey(item)));
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
        const known = scores.get(historyKey(item));
        if (known === undefined) scores.set(historyKey(item), { item, score: weight });
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

export interface PastQuestion {
  /** Folded words to search for; none if the question names only a time. */
  readonly words: readonly string[];
  /** The earliest time that the question may mean, in milliseconds since 1970. */
  readonly since?: number | undefined;
}

const person = String.raw`\b(?:i|we|you|us|our)\b`;
const said = String.raw`\b(?:say|said|tell|told|talk(?:ed|ing)?|spoke|spoken|mention(?:ed)?|discuss(?:ed)?|chat(?:ted)?|ask(?:ed)?)\b`;
const past = String.raw`\b(?:last (?:week|month|time|night|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday|the other day|earlier|before|(?:days?|weeks?|months?) ago|recently)\b`;

const english: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:did|have|had|what|where|when)\b.{0,30}${person}.{0,40}${said}`, 'u'),
  new RegExp(
    String.raw`\b(?:we|i)(?:'ve| have| had)? (?:already |just |once )?(?:talked|spoke|spoken|discussed|chatted|mentioned|told you|said)\b`,
    'u',
  ),
  /\b(?:do|did) you (?:still )?(?:remember|recall)\b|\bremember (?:when|what|that|how) (?:i|we)\b/u,
  new RegExp(`${past}.{0,60}(?:${person}.{0,30}${said})`, 'u'),
  new RegExp(`(?:${person}.{0,30}${said}).{0,60}${past}`, 'u'),
];
const chinese =
  /上次|上回|还记得|(?:之前|以前|昨天|前天|前几天|上周|上星期|上个月|刚才|那天).{0,12}(?:说|聊|谈|讲|提|问)|(?:我们|咱们|我|你).{0,6}(?:聊过|说过|谈过|讲过|提过|提到过|问过|告诉过)/u;

const day = 86_400_000;
/** How many days back an expression of time can mean. Generous, because people count days loosely. */
const times: readonly (readonly [RegExp, number])[] = [
  [/\b(?:today|this morning|just now)\b|今天|刚才/u, 1],
  [/\b(?:yesterday|last night)\b|昨天|昨晚/u, 2],
  [/\b(?:the other day|days ago)\b|前天|前几天/u, 10],
  [
    /\b(?:this week|last (?:week|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b|上周|上星期|这周/u,
    14,
  ],
  [/\b(?:last month|weeks ago)\b|上个月/u, 62],
  [/\blast year\b|去年/u, 730],
];

const stopWords = new Set(
  `a about again ago all already also am an and any are as ask asked at be been before being but by can chat chatted could day days
   did discuss discussed do does doing don earlier for from had has have he her him his how i if in is it its just know last me mention
   mentioned month months more my night no not of on once or other our out parley please recall recently remember said same say she should so
   some speak spoke spoken still tell than that the their them then there they this time to today told too talk talked talking us ve was we
   week weeks were what when where which who why will with would year yesterday you your`.split(
    /\s+/u,
  ),
);
const chineseStops =
  /上次|上回|还记得|记得|之前|以前|昨天|昨晚|前天|前几天|上周|上星期|上个月|刚才|今天|那天|去年|我们|咱们|他们|什么|怎么|为什么|在哪里|在哪儿|在哪|哪里|哪儿|哪个|哪天|多少|几点|关于|那个|这个|一下|有没有|是不是|可以|告诉|聊过|说过|谈过|讲过|提过|提到|问过|聊到|说到|聊了|说了|[我你您他她它的了吗呢吧啊呀是跟]/gu;
const maxWords = 6;

/** Reads a message; undefined if it does not refer to an earlier conversation. */
export function readPastQuestion(message: string, now: number): PastQuestion | undefined {
  // A text this long was pasted, and is not a question about the past.
  if (message.length > 500) return undefined;
  const text = message.toLowerCase().replaceAll('’', "'");
  if (!english.some((rule) => rule.test(text)) && !chinese.test(text)) return undefined;
  const days = times.find(([rule]) => rule.test(text))?.[1];
  const since = days === undefined ? undefined : now - days * day;
  const words = splitQuery(foldText(text.replaceAll(chineseStops, ' '))).filter(
    (word) => Array.from(word).length > 1 && !stopWords.has(word),
  );
  // Long words first, because they are the most specific.
  const ranked = [...new Set(words)].toSorted((one, other) => other.length - one.length);
  if (ranked.length === 0 && since === undefined) return undefined;
  return { words: ranked.slice(0, maxWords), since };
}

/** Formats passages for the model, with where and when they were said. */
export function formatPassages(
  found: readonly FoundPassage[],
  { pastBegin, pastAbout, pastEnd, pastTalk, pastChat }: CoreMessages['memory'],
): string | undefined {
  if (found.length === 0) return undefined;
  const lines = found.map(({ passage: { kind, title, at }, text }) => {
    const day = formatLocalTime(at).slice(0, 10);
    return `- ${day}, ${kind === 'talk' ? pastTalk : pastChat} “${title.replaceAll(/-{3,}/gu, '—')}”: ${text}`;
  });
  return [pastBegin, pastAbout, ...lines, pastEnd].join('\n');
}
