import { done, mapOutcome, type Outcome, describeError } from '../../../shared/errors/app-error.ts';
import type { JsonObject, JsonValue } from '../../../shared/protocol/json.ts';
import type { Tool, ToolAnswer } from '../tool.ts';
import { languages } from '../../../shared/i18n/languages.ts';
import type { WallClock } from '../../../shared/ports/clock.ts';
import { calculate } from './calculator.ts';
import { maxReminderText } from '../../../shared/tools/stored-tools.ts';
import type { Reminder } from '../../../shared/tools/tools-view.ts';
import type { Reminders } from './reminders.ts';
import { cleanResponse } from '../tool-prompt.ts';

type MaybeAsyncAnswer = Outcome<ToolAnswer> | Promise<Outcome<ToolAnswer>>;

interface OwnTool extends Pick<Tool, 'name' | 'description' | 'words'> {
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
  readonly run: (args: JsonObject) => MaybeAsyncAnswer;
}

/** A tool of Parley. Its schema refuses arguments that are not listed. */
function ownTool({ properties, required = [], run, ...rest }: OwnTool): Tool {
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { ...rest, schema, server: '', isRisky: false, run: async (args) => run(args) };
}

const answer = (text: string): Outcome<ToolAnswer> => ({
  ...done,
  value: { text, isError: false },
});

/** A failure that the model can correct. */
const problem = (text: string): Outcome<ToolAnswer> => ({
  ...done,
  value: { text, isError: true },
});

/** An argument that the schema has checked to be text; empty if it is missing. */
function textArgument(args: JsonObject, name: string): string {
  const value: JsonValue | undefined = args[name];
  return typeof value === 'string' ? value : '';
}

/** The time, and a calculator. */
export function clockTools(wallClock: WallClock): readonly Tool[] {
  return [
    ownTool({
      name: 'current_time',
      description: 'Returns the current date, weekday and time.',
      properties: {
        time_zone: { type: 'string', description: 'IANA name, such as Asia/Tokyo' },
      },
      words: [
        'what time date day today now hour clock week',
        '现在几点 今天 日期 星期几 时间 几号',
      ],
      run: ({ time_zone: zone }) => {
        try {
          return answer(describeTime(wallClock(), typeof zone === 'string' ? zone : undefined));
        } catch (error) {
          return problem(describeError(error));
        }
      },
    }),
    ownTool({
      name: 'calculate',
      description:
        'Calculates an expression with + - * / % ^, brackets, pi, e, sqrt, abs, round, floor, ceil, min, max, exp, ln, log, sin, cos, tan.',
      properties: { expression: { type: 'string', description: 'such as 2 * (3 + 4)' } },
      required: ['expression'],
      words: [
        'calculate compute math sum times plus minus divided percent how much many number',
        '计算 算一下 等于 加 减 乘 除 百分之 多少',
      ],
      run: (args) => {
        const found = calculate(textArgument(args, 'expression'));
        return found.ok ? answer(formatNumber(found.value)) : problem(found.problem);
      },
    }),
  ];
}

/** Writes a number without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
const formatNumber = (value: number): string => String(Number(value.toPrecision(15)));

/** An ISO date, because models know it best, with the weekday and the offset. */
export function describeTime(at: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat(languages.en.tag, {
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'longOffset',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const part = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, value] as const),
  );
  const date = `${part['year']}-${part['month']}-${part['day']}`;
  return `${part['weekday']}, ${date} ${part['hour']}:${part['minute']} ${part['timeZoneName']}`;
}

const reminderWords = [
  'remind reminder remember alarm timer wake minutes later tomorrow',
  '提醒 提醒我 闹钟 定时 分钟后 小时后 别忘了 记得',
];

const minuteMs = 60_000;
const maxMinutes = 5 * 366 * 24 * 60;

export function reminderTools(
  reminders: Pick<Reminders, 'add' | 'list' | 'due' | 'cancel'>,
  wallClock: WallClock,
): readonly Tool[] {
  return [
    ownTool({
      name: 'set_reminder',
      description: 'Reminds the user later with a notification. Give in_minutes or at.',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: maxReminderText },
        in_minutes: { type: 'number', minimum: 0.1, maximum: maxMinutes },
        at: { type: 'string', description: 'local time, as 2026-01-31T14:30' },
      },
      required: ['text'],
      words: reminderWords,
      run: async (args) => {
        const at = dueTime(args, wallClock());
        if (typeof at === 'string') return problem(at);
        const added = await reminders.add(textArgument(args, 'text'), at);
        if (!added.ok) return added;
        return answer(`The reminder is set. ${describe(added.value)}`);
      },
    }),
    ownTool({
      name: 'list_reminders',
      description: 'Lists the reminders with their numbers, also those that are due.',
      properties: {},
      words: reminderWords,
      run: () => {
        const due = reminders.due().map((reminder) => `${describe(reminder)} (due)`);
        const lines = [...due, ...reminders.list().map(describe)];
        return answer(lines.length === 0 ? 'No reminders are set.' : lines.join('\n'));
      },
    }),
    ownTool({
      name: 'cancel_reminder',
      description: 'Cancels a reminder by its number.',
      properties: { number: { type: 'integer' } },
      required: ['number'],
      words: [...reminderWords, 'cancel delete stop', '取消 删除'],
      run: async ({ number }) =>
        mapOutcome(await reminders.cancel(Number(number)), () => ({
          text: 'The reminder is cancelled.',
          isError: false,
        })),
    }),
  ];
}

const describe = ({ id, at, text }: Reminder): string => `${id}: ${describeTime(at)}, ${text}`;

/** The time in milliseconds since 1970, or a sentence for the model. */
function dueTime({ in_minutes: minutes, at }: JsonObject, now: number): number | string {
  if (typeof minutes === 'number') return Math.round(now + minutes * minuteMs);
  if (typeof at !== 'string') return 'Give in_minutes or at.';
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/u.test(at)) return 'Write at as 2026-01-31T14:30.';
  const time = Date.parse(at);
  if (Number.isNaN(time)) return 'There is no such time.';
  if (time <= now) return `That time has passed. It is ${describeTime(now)}.`;
  return time > now + maxMinutes * minuteMs ? 'That is more than five years away.' : time;
}

/** Files and folders that the user shared. A link that leads out of them is refused. */
export interface SharedFiles {
  readonly readText: (path: string, maxBytes: number) => Promise<Outcome<string>>;
  /** Names in a folder; those of folders end in a slash. */
  readonly list: (path: string, maxNames: number) => Promise<Outcome<readonly string[]>>;
}

/** Upper bounds. Both exceed what fits into the model's context. */
const maxBytes = 256 * 1024;
const maxNames = 500;

const fileWords = [
  'file folder read open document text list directory path',
  '文件 文件夹 读取 打开 文档 目录 看看',
];

/** Tools that read files and folders which the user shared in Settings. */
export function fileTools(
  files: SharedFiles,
  sharedPaths: () => readonly string[],
): readonly Tool[] {
  return [
    ownTool({
      name: 'read_file',
      description: 'Reads a text file that the user shared, or that is in a shared folder.',
      properties: { path: { type: 'string', description: 'the full path' } },
      required: ['path'],
      words: fileWords,
      run: async (args) => {
        const read = await files.readText(textArgument(args, 'path'), maxBytes);
        return read.ok ? answer(cleanResponse(read.value)) : read;
      },
    }),
    ownTool({
      name: 'list_files',
      description: 'Lists a shared folder. Without a path it lists what the user shared.',
      properties: { path: { type: 'string', description: 'the full path' } },
      words: fileWords,
      run: async (args) => {
        const path = textArgument(args, 'path');
        if (path === '') {
          const shared = sharedPaths();
          return answer(shared.length === 0 ? 'The user shared no files.' : shared.join('\n'));
        }
        const names = await files.list(path, maxNames);
        return names.ok ? answer(names.value.join('\n') || 'The folder is empty.') : names;
      },
    }),
  ];
}

export interface HistoryPassage {
  readonly title: string;
  readonly kind: 'talk' | 'chat';
  readonly at: number;
  readonly excerpt: string;
}

/** Finds passages in stored talks and chats, the newest first. */
export type SearchHistory = (
  query: string,
  maxPassages: number,
) => Promise<Outcome<readonly HistoryPassage[]>>;

const maxPassages = 6;

export function historyTools(search: SearchHistory): readonly Tool[] {
  return [
    ownTool({
      name: 'search_history',
      description: 'Searches earlier talks and chats with the user for words.',
      properties: { words: { type: 'string', minLength: 1, maxLength: 200 } },
      required: ['words'],
      words: [
        'earlier before last week yesterday said say talked told history remember discussed ago',
        '之前 上次 上周 昨天 说过 聊过 记得 以前 历史',
      ],
      run: async (args) => {
        const found = await search(textArgument(args, 'words'), maxPassages);
        if (!found.ok) return found;
        const lines = found.value.map(
          ({ title, kind, at, excerpt }) => `${describeTime(at)}, ${kind} "${title}": ${excerpt}`,
        );
        return answer(lines.length === 0 ? 'Nothing was found.' : lines.join('\n'));
      },
    }),
  ];
}
