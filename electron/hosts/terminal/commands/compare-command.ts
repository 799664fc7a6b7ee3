import type { Parley } from '../../../core/compose-parley.ts';
import { harmlessJson, harmlessLine } from '../../../../shared/harmless-text.ts';
import type { TalkMeasures, TapeComparison } from '../../../replay/export/compare-films.ts';
import { exitCode } from '../exit-code.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
import { terminalCommand } from '../terminal-command.ts';

const compareCommandSpec = {
  name: 'compare',
  summary: 'say how two tapes of the same talk differ: words, delays, interruptions, troubles',
  word: {
    name: 'TAPE',
    about: 'what it is compared with: how it was before',
    missing: 'Say which tapes: parley compare TAPE TAPE.',
    file: true,
  },
  object: {
    name: 'OTHER',
    about: 'what is compared with it',
    missing: 'compare takes two tapes: parley compare TAPE TAPE.',
    file: true,
  },
  options: {
    'min-same-words': {
      value: 'N',
      range: { min: 0, max: 1 },
      about: 'the part of all words that has to be the same, normally 0.5',
    },
    'max-latency-ratio': {
      value: 'N',
      range: { min: 0.1, max: 100 },
      about: 'how much longer answers may take (p95), normally 1.5',
    },
    ...jsonOption,
  },
  notes: [
    'The delay of an answer goes from the end of what was said before it to its first sound.',
    'Exit: 0 alike within these bounds and without new troubles, 1 they differ, 2 wrong usage',
  ],
} as const satisfies CommandSpec;

/** Compares two tapes: the regression test of who runs a server. */
export const compareCommand = terminalCommand(
  compareCommandSpec,
  async ({ word, object, options }, terminal, parley: Pick<Parley, 'compareTapes'>) => {
    const compared = unwrapOrExit(await parley.compareTapes(word, object));
    const { 'min-same-words': minSame = 0.5, 'max-latency-ratio': maxRatio = 1.5 } = options;
    const differs = [
      ...(compared.sameWords < minSame ? ['words'] : []),
      ...((compared.latencyRatio ?? 1) > maxRatio ? ['latency'] : []),
      ...(compared.other.answers.length < compared.one.answers.length ? ['answers'] : []),
      ...(compared.other.troubles.length > compared.one.troubles.length ? ['troubles'] : []),
    ];
    const alike = differs.length === 0;
    terminal.out(
      options.json ? `${harmlessJson({ alike, differs, ...compared })}\n` : tableOf(compared),
    );
    if (!options.json)
      terminal.out(alike ? 'They are alike.\n' : `They differ: ${differs.join(', ')}.\n`);
    return alike ? exitCode.done : exitCode.failed;
  },
);

const maxLetters = 60;

function tableOf({ one, other, answers, sameWords }: TapeComparison): string {
  const rows = answers.map((pair, index) =>
    [
      `${index + 1}. ${percent(pair.sameWords)} of the words`,
      ...[pair.one, pair.other].map((answer) =>
        answer === undefined
          ? '   (no answer)'
          : `   ${delayOf(answer.latencyMs)} ${harmlessLine(answer.text.trim(), maxLetters)}`,
      ),
    ].join('\n'),
  );
  const totals = [one, other].map(totalOf);
  return `${[...rows, `All: ${percent(sameWords)} of the words`, ...totals].join('\n')}\n`;
}

function totalOf({
  answers,
  latencyMs,
  interruptions,
  reconnects,
  troubles,
}: TalkMeasures): string {
  const delays = latencyMs === undefined ? '-' : `p50 ${latencyMs.p50} ms, p95 ${latencyMs.p95} ms`;
  const what = `${interruptions} interruptions, ${reconnects} reconnects, ${troubles.length} troubles`;
  return `   ${answers.length} answers, ${delays}, ${what}`;
}

function delayOf(ms: number | undefined): string {
  return (ms === undefined ? '-' : `${ms} ms`).padStart(8);
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
