import type { WallClock } from '../../../shared/ports/clock.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import { mapOutcome } from '../../../shared/errors/app-error.ts';
import { maxReminderText } from '../../../shared/tools/stored-tools.ts';
import type { Reminder } from '../../../shared/tools/tools-view.ts';
import type { Tool } from '../tool.ts';
import { describeTime } from './clock-tools.ts';
import { answer, ownTool, problem, textArgument } from './own-tool.ts';
import type { Reminders } from './reminders.ts';

const words = [
  'remind reminder remember alarm timer wake minutes later tomorrow',
  '提醒 提醒我 闹钟 定时 分钟后 小时后 别忘了 记得',
];

const minuteMs = 60_000;
const maxMinutes = 5 * 366 * 24 * 60;

/** Tools that set, list and cancel reminders. */
export function reminderTools(
  reminders: Pick<Reminders, 'add' | 'list' | 'cancel'>,
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
      words,
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
      description: 'Lists the reminders that are set, with their numbers.',
      properties: {},
      words,
      run: () => {
        const lines = reminders.list().map(describe);
        return answer(lines.length === 0 ? 'No reminders are set.' : lines.join('\n'));
      },
    }),
    ownTool({
      name: 'cancel_reminder',
      description: 'Cancels a reminder by its number.',
      properties: { number: { type: 'integer' } },
      required: ['number'],
      words: [...words, 'cancel delete stop', '取消 删除'],
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
  if (time <= now) return `That time is over. It is ${describeTime(now)}.`;
  return time > now + maxMinutes * minuteMs ? 'That is more than five years away.' : time;
}
