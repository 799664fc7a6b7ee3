import type { ToolResultEvent } from '../../shared/protocol/realtime-api.ts';
import { isJsonObject, type JsonObject } from '../../shared/protocol/json.ts';

interface TalkToolCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** The first of these that the client listed is called; otherwise the first listed tool, without arguments. */
const preferredCalls: readonly TalkToolCall[] = [
  { name: 'set_reminder', args: { text: 'call home', in_minutes: 10 } },
  { name: 'calculate', args: { expression: '6 * 7' } },
];

/** Tool calls of the demonstration in a talk: one call after its first turn, whose result it then says. */
export class DemonstrationTools {
  readonly #names: readonly string[];
  readonly #call = 'call_1';
  #state: 'idle' | 'called' | 'over' = 'idle';
  #result: string | undefined;

  constructor(tools: readonly JsonObject[]) {
    this.#names = tools.flatMap((tool) => {
      const { function: definition } = tool;
      const name = isJsonObject(definition) ? definition['name'] : undefined;
      return typeof name === 'string' ? [name] : [];
    });
  }

  /** Returns the call that follows a complete turn. */
  endTurn(): (TalkToolCall & { readonly call: string }) | undefined {
    const [first] = this.#names;
    if (this.#state !== 'idle' || first === undefined) return undefined;
    this.#state = 'called';
    const known = preferredCalls.find(({ name }) => this.#names.includes(name));
    return { call: this.#call, ...(known ?? { name: first, args: {} }) };
  }

  /** Returns false if no such call waits for a result. */
  acceptResult({ call, text }: ToolResultEvent): boolean {
    if (this.#state !== 'called' || call !== this.#call) return false;
    this.#state = 'over';
    this.#result = text;
    return true;
  }

  /** The text for the next step in which the model would listen. */
  takeResult(): string | undefined {
    const result = this.#result;
    this.#result = undefined;
    // Leaves out the first line, which says where the text comes from.
    return result && `The tool says: ${result.split('\n').slice(1).join(' ')}`;
  }
}

interface ChatTurnText {
  readonly system: string;
  readonly text: string;
}

const responsePattern = /^\s*<tool_response>\n(?<body>[\s\S]*?)\n<\/tool_response>/u;

/**
 * The demonstration's tool call in a chat, as a real model writes it: for a few questions about the time, sums,
 * reminders and earlier conversations, and for `Call NAME {…}`. After a tool's response, the text that repeats it.
 * Undefined if the turn needs no listed tool.
 */
export function answerWithTools({ system, text }: ChatTurnText): string | undefined {
  const response = responsePattern.exec(text)?.groups?.['body'];
  if (response !== undefined)
    return `The tool says: ${response.split('\n').slice(1).join('\n')}\n\nI am only a demonstration and cannot say more about it.`;
  const names = listedNames(system);
  const call = names.size === 0 ? undefined : findCall(text);
  if (call === undefined || !names.has(call.name)) return undefined;
  const json = JSON.stringify({ name: call.name, arguments: call.args });
  return `I use a tool for this.\n<tool_call>\n${json}\n</tool_call>`;
}

function listedNames(system: string): ReadonlySet<string> {
  const list = /<tools>\n(?<lines>[\s\S]*?)\n<\/tools>/u.exec(system)?.groups?.['lines'] ?? '';
  return new Set(
    [...list.matchAll(/"function":\{"name":"([\w-]+)"/gu)].map(([, name]) => name ?? ''),
  );
}

interface ChatToolCall {
  readonly name: string;
  readonly args: unknown;
}

function findCall(text: string): ChatToolCall | undefined {
  const exact = /^call (?<name>[\w-]+) (?<args>\{[\s\S]*\})\s*$/iu.exec(text)?.groups;
  if (exact !== undefined) return { name: exact['name'] ?? '', args: parse(exact['args'] ?? '') };
  const reminder =
    /remind me in (?<minutes>\d+|ten|five|a) minutes? to (?<what>[^.\n]+)/iu.exec(text)?.groups ??
    /(?<minutes>\d+|十|五|一) ?分钟后提醒我(?<what>[^。\n]+)/u.exec(text)?.groups;
  if (reminder !== undefined) {
    const minutes = toNumber(reminder['minutes'] ?? '');
    return { name: 'set_reminder', args: { text: reminder['what']?.trim(), in_minutes: minutes } };
  }
  const sum = /(?:what is|calculate|how much is|计算|算一下) ?(?<sum>[\d(][\d\s().+*/^-]*)/iu.exec(
    text,
  )?.groups?.['sum'];
  if (sum !== undefined && /[+*/^-]/u.test(sum))
    return { name: 'calculate', args: { expression: sum.trim() } };
  if (/\bwhat time\b|\bwhat day\b|几点|星期几/iu.test(text))
    return { name: 'current_time', args: {} };
  const about = /what did i say about (?:the )?(?<about>[\p{L}\d]+)/iu.exec(text)?.groups?.[
    'about'
  ];
  return about === undefined ? undefined : { name: 'search_history', args: { words: about } };
}

const numbers: ReadonlyMap<string, number> = new Map([
  ['ten', 10],
  ['十', 10],
  ['five', 5],
  ['五', 5],
  ['a', 1],
  ['一', 1],
]);

const toNumber = (word: string): number => numbers.get(word.toLowerCase()) ?? Number(word);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
