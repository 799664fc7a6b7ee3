import { toSafeJson, sanitizeLine } from '../../../../shared/text.ts';
import {
  defaultComparisonBounds,
  differencesBeyond,
  type MeasuredAnswer,
  type TalkMeasures,
  type TapeComparison,
} from '../../../../shared/recordings/tape-comparison.ts';
import type { TapeTools } from '../../../recordings/edit/tape-tools.ts';
import { exitCode, type OpenCore, terminalCommand } from '../terminal-command.ts';
import { localRecordingTime, tapeOrExit } from '../options/command-files.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';

const compareCommandSpec = {
  name: 'compare',
  summary: 'compare two tapes of the same talk: words, delays, interruptions, problems',
  word: {
    name: 'TAPE',
    about: 'the reference tape',
    missing: 'Name two tapes: parley compare TAPE OTHER.',
    file: true,
  },
  object: {
    name: 'OTHER',
    about: 'the tape to compare with the reference',
    missing: 'compare takes two tapes: parley compare TAPE OTHER.',
    file: true,
  },
  options: {
    'min-same-words': {
      value: 'N',
      range: { min: 0, max: 1 },
      about: 'the minimum fraction of equal words (0 to 1; default: 0.5)',
    },
    'max-latency-ratio': {
      value: 'N',
      range: { min: 0.1, max: 100 },
      about: 'the maximum ratio of the two p95 delays (default: 1.5)',
    },
    'max-missing': {
      value: 'N',
      range: { min: 0, max: 1000, integer: true },
      about: 'how many answers of TAPE may be missing in OTHER (default: 0)',
    },
    ...jsonOption,
  },
  notes: [
    'Answers to the same input are shown together. A delay runs from the end of the input to the first sound of the answer.',
    'Differences of up to 100 ms between delays are ignored.',
    'Exit: 0 alike within these limits and without new problems; 1 different, or cannot be compared; 2 wrong usage, or not a tape',
  ],
} as const satisfies CommandSpec;

interface CompareCore {
  readonly tapeTools: () => Promise<Pick<TapeTools, 'compare'>>;
}

export const compareCommand = terminalCommand(
  compareCommandSpec,
  async ({ word, object, options }, terminal, openCore: OpenCore<CompareCore>) => {
    const tools = await (await openCore()).tapeTools();
    const compared = tapeOrExit(await tools.compare(word, object), word, object);
    const bounds = defaultComparisonBounds;
    const differs = differencesBeyond(compared, {
      minSameWords: options.minSameWords ?? bounds.minSameWords,
      maxLatencyRatio: options.maxLatencyRatio ?? bounds.maxLatencyRatio,
      maxMissing: options.maxMissing ?? bounds.maxMissing,
    });
    const alike = differs.length === 0;
    terminal.out(
      options.json ? `${toSafeJson({ alike, differs, ...compared })}\n` : formatTable(compared),
    );
    if (!options.json)
      terminal.out(alike ? 'The tapes are alike.\n' : `The tapes differ: ${differs.join(', ')}.\n`);
    return alike ? exitCode.done : exitCode.failed;
  },
);

const maxCharacters = 60;

function formatTable({ one, other, answers, sameWords }: TapeComparison): string {
  const rows = answers.map((pair, index) =>
    [
      `${index + 1}. ${percent(pair.sameWords)} of the words${inputText(pair.one ?? pair.other)}`,
      ...[pair.one, pair.other].map(answerLine),
    ].join('\n'),
  );
  const totals = [one, other].map(formatTotals);
  return `${[...rows, `All: ${percent(sameWords)} of the words`, ...totals].join('\n')}\n`;
}

function inputText(answer: MeasuredAnswer | undefined): string {
  if (answer?.spokeUntil === undefined) return '';
  return `, to the input that ended at ${(answer.spokeUntil / 1000).toFixed(1)} s`;
}

function answerLine(answer: MeasuredAnswer | undefined): string {
  if (answer === undefined) return '   (no answer)';
  const cut = answer.cut ? ' (cut)' : '';
  return `   ${formatDelay(answer.latencyMs)} ${sanitizeLine(answer.text, maxCharacters)}${cut}`;
}

function formatTotals(talk: TalkMeasures): string {
  const { answers, latencyMs, interruptions, reconnects, troubles, limits } = talk;
  const delays = latencyMs === undefined ? '-' : `p50 ${latencyMs.p50} ms, p95 ${latencyMs.p95} ms`;
  const limitNote = limits.length === 0 ? '' : `, near its limit of ${limits.join(' and ')}`;
  const counts = [
    countOf(interruptions, 'interruption'),
    countOf(reconnects, 'reconnect'),
    countOf(troubles.length, 'problem'),
  ].join(', ');
  const source = sanitizeLine(`${talk.server}, ${localRecordingTime(talk)}`, maxCharacters);
  const ended = talk.ending === undefined ? 'cut' : `ended: ${talk.ending}`;
  const extent = `${talk.mode}, ${Math.round(talk.lengthMs / 1000)} s, ${ended}`;
  return `   ${countOf(answers.length, 'answer')}, ${delays}, ${counts}${limitNote} (${source}; ${extent})`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function formatDelay(ms: number | undefined): string {
  return (ms === undefined ? '-' : `${ms} ms`).padStart(8);
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}
