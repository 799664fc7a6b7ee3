import { foldText } from '../../shared/fold-text.ts';
import { splitQuery } from '../recordings/history/history-index.ts';

/** A question about an earlier conversation. */
export interface PastQuestion {
  /** Folded words to search for; none if the question names only a time. */
  readonly words: readonly string[];
  /** The earliest time that it means, in milliseconds since 1970. */
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
