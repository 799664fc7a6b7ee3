import { languages } from '../../../shared/i18n/languages.ts';
import type { WallClock } from '../../../shared/ports/clock.ts';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { Tool } from '../tool.ts';
import { answer, ownTool, problem, textArgument } from './own-tool.ts';
import { calculate } from './calculator.ts';

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

/** Without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
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
