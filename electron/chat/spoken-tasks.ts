import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type { UserPhrase } from '../../shared/talk/talk-view.ts';
import { foldText } from '../../shared/text.ts';
import type { Tool } from '../tools/tool.ts';

interface Deps {
  readonly clock: Clock;
  readonly tools: () => readonly Tool[];
  /** The user's newest phrases, in spoken order. */
  readonly phrases: () => readonly UserPhrase[];
  readonly ask: (words: string) => void;
}

/** Phrases with a longer pause between them are not one sentence. */
const maxGapMs = 2500;
/** The wait for more words, because a sentence may go on after a pause for breath. */
const settleMs = 1500;
/** Waits at most this many times for phrases that are still being transcribed. */
const maxSettles = 6;
const maxPhrases = 4;

const endOf = ({ at, seconds }: UserPhrase): number => at + seconds * 1000;

/** Finds tasks in the user's transcribed words by a rule. A sentence may consist of several phrases. */
export class SpokenTasks {
  readonly #deps: Deps;
  readonly #settle: Timer;
  #settles = 0;
  /** Time of the phrase that has a task, until its sentence is complete. */
  #taskAt: number | undefined;
  /** Time of the last phrase that belongs to an earlier task. */
  #lastUsed = -1;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#settle = new Timer(deps.clock);
  }

  /** Call this for a new phrase, and again when it was written down. */
  onPhrase({ at, state, transcribed }: UserPhrase): void {
    // Words that the user corrected or typed are no spoken task.
    if (state !== 'written' || transcribed !== 'byMachine' || at <= this.#lastUsed) return;
    if (this.#taskAt !== undefined || !asksForTool(this.#sentence(at), this.#deps.tools())) return;
    this.#taskAt = at;
    this.#settles = 0;
    this.#wait();
  }

  clear(): void {
    this.#settle.stop();
    this.#taskAt = undefined;
    this.#lastUsed = -1;
  }

  #wait(): void {
    this.#settle.set(settleMs, () => {
      const at = this.#taskAt;
      if (at === undefined) return;
      this.#settles += 1;
      const isOpen = this.#around(at).some(
        ({ state }) => state === 'waiting' || state === 'writing',
      );
      if (isOpen && this.#settles < maxSettles) return this.#wait();
      const words = this.#sentence(at);
      this.#lastUsed = this.#around(at).at(-1)?.at ?? at;
      this.#taskAt = undefined;
      this.#deps.ask(words);
    });
  }

  #sentence(at: number): string {
    return this.#around(at)
      .flatMap(({ state, text }) => (state === 'written' && text !== '' ? [text] : []))
      .join(' ');
  }

  /** The phrase with its neighbours, up to a long pause on each side; at most `maxPhrases`. */
  #around(at: number): readonly UserPhrase[] {
    const phrases = this.#deps.phrases().filter((phrase) => phrase.at > this.#lastUsed);
    const index = phrases.findIndex((phrase) => phrase.at === at);
    const isJoined = (next: number): boolean => {
      const [before, after] = [phrases[next - 1], phrases[next]];
      return before !== undefined && after !== undefined && after.at - endOf(before) <= maxGapMs;
    };
    let from = index;
    while (from > 0 && index - from < maxPhrases - 1 && isJoined(from)) from -= 1;
    let to = index;
    while (to - from < maxPhrases - 1 && isJoined(to + 1)) to += 1;
    return index === -1 ? [] : phrases.slice(from, to + 1);
  }
}

/** For some of Parley's tools, by name: phrases that ask for the tool. English and Chinese are both always recognized. */
const phrases: Readonly<Record<string, RegExp>> = {
  set_reminder:
    /\bremind me\b|\b(?:set|start|make|create) (?:me )?(?:a|an|another) (?:\w+[ -]){0,3}(?:reminder|timer|alarm)\b|\bwake me\b|提醒(?:一下)?我|(?:设|定|订)(?:一?个|下)?.{0,6}(?:闹钟|提醒|定时)|(?:到时候?|过会儿?|一会儿?)叫我/u,
  list_reminders:
    /\b(?:what|which|list|show|read)\b.{0,20}\breminders\b|(?:哪些|什么|多少个?|看看).{0,6}提醒/u,
  cancel_reminder:
    /\b(?:cancel|delete|remove)\b.{0,30}\b(?:reminder|timer|alarm)s?\b|(?:取消|删除|删掉).{0,12}(?:提醒|闹钟|定时)/u,
  calculate:
    /\b(?:calculate|compute|work out)\b|\bhow much is \d|\bwhat(?:'s| is) (?:\d|the (?:square )?root of)|计算|算(?:一下|算|出)|\d.{0,12}(?:加|减|乘|除以).{0,8}\d.{0,6}(?:多少|几)/u,
  current_time:
    /\bwhat(?:'s| is)? (?:the )?(?:time|day|date)\b|\bwhat (?:time|day|date) is it\b|几点|星期几|几月几号|今天几号/u,
  read_file: /\b(?:read|open)\b.{0,20}\b(?:file|document)\b|(?:读|打开|看).{0,6}文件(?!夹)/u,
  list_files:
    /\b(?:list|show|which|what)\b.{0,30}\b(?:files|folders?)\b|(?:有哪些|看看|列出).{0,6}文件夹?/u,
  search_history:
    /\bwhat (?:did|have) (?:i|we) (?:say|said|tell|told|talk|talked)\b|\blook (?:it |that |this )?up\b|\b(?:search|find)\b.{0,20}\b(?:history|talks|chats)\b|我(?:之前|上次|以前)?(?:说过|讲过|提过)|(?:查|找|搜)(?:一下|一查|一找|找|查)/u,
};

const lookUp = /\blook (?:it |that |this )?up\b|\bsearch for\b|(?:查|搜)(?:一下|一查|查)/u;
const searchName = /search|look_?up|find|fetch|query/iu;
/** A longer text is a story, not a task. */
const maxLength = 500;
/** A shorter name could be a word of everyday speech. */
const minNameLength = 4;

/**
 * Whether the user's words ask for one of these tools. The rule is a list of phrases, so it misses other wordings. The
 * words ask for a tool of another program if a word such as "use" or "ask" stands before the name of the tool or its
 * server. "Look up" also asks for a tool whose name says that it searches.
 */
export function asksForTool(words: string, tools: readonly Tool[]): boolean {
  const text = foldText(words).replaceAll('’', "'").trim();
  if (text === '' || text.length > maxLength || isNegated(text)) return false;
  return tools.some((tool) =>
    tool.server === ''
      ? phrases[tool.name]?.test(text) === true
      : isNamed(text, tool) || (searchName.test(tool.name) && lookUp.test(text)),
  );
}

/** "Don't remind me" asks for the opposite. */
function isNegated(text: string): boolean {
  return /\b(?:don't|do not|never|no need to) (?:remind|calculate|look|search|wake|set)\b|(?:不用|别|不要|无需)(?:提醒|计算|查|算)/u.test(
    text,
  );
}

function isNamed(text: string, { name, server }: Tool): boolean {
  return [name, server].some((raw) => {
    const said = foldText(raw.replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/gu, ' ')).trim();
    if (said.length < minNameLength) return false;
    const at = text.indexOf(said);
    return at > 0 && /(?:\b(?:use|ask|with|run)(?: the)?|用|让|问)\s*$/u.test(text.slice(0, at));
  });
}
