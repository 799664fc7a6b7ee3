import { cpus } from 'node:os';
import { toSafeJson } from '../../../../shared/sanitize-text.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { Benchmark } from '../../../app/machine-bench.ts';
import { CommandError, exitCode } from '../exit-code.ts';
import { jsonOption } from '../options/connection-options.ts';
import { pacedSteps } from '../../../model/model-pace.ts';
import { type OpenCore, terminalCommand } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';
import { runModelBench } from './bench-model.ts';

const rounds = 3;

const titles: Readonly<Record<Benchmark['name'], string>> = {
  listening: 'your voice, with echo and noise removed',
  answering: 'the answers',
  vision: 'a camera picture every second',
  recording: 'recording the talk',
};

/** Measures whether the processor is fast enough for a talk. */
export const benchCommand = terminalCommand(
  {
    name: 'bench',
    summary: 'measure whether this machine is fast enough for a talk',
    options: {
      model: {
        value: 'DIR',
        alone: true,
        file: true,
        about:
          'measures the model on this computer instead: in this folder, or as the settings say',
      },
      server: {
        value: 'PATH',
        file: true,
        needs: 'model',
        about: 'the llama-omni-server for --model (default: as in the settings)',
      },
      steps: {
        value: 'N',
        range: { min: 1, max: 100, whole: true },
        needs: 'model',
        about: `how many model steps to measure, with and without a picture (default: ${pacedSteps})`,
      },
      ...jsonOption,
    },
    notes: [
      'With --model: measures the model’s steps, which must take less than the second of sound they answer.',
      'Measures each part of a talk with camera and recording, as a share of one processor core.',
      'Not measured: the sound card (see parley doctor), the network, and drawing the window.',
      'Exit: 0 fast enough, 1 too slow or not measured, 2 wrong usage',
    ],
  },
  async ({ options }, terminal, openCore: OpenCore<Pick<TerminalCore, 'openModelBench'>>) => {
    const { out } = terminal;
    const { model, server = '', steps = pacedSteps, json } = options;
    if (model !== undefined) {
      const core = await openCore();
      const bench = await core.openModelBench(model === true ? '' : model, server);
      return runModelBench(bench, steps, json, terminal);
    }
    const { composeMachineBench } = await import('../../../app/machine-bench.ts');
    const parts = await composeMachineBench();
    if (!parts.ok) throw new CommandError(describeAppError(parts.error), exitCode.failed);
    let all = 0;
    for (const { name, seconds, work } of parts.value) {
      const share = (await processorSeconds(work)) / seconds;
      all += share;
      if (options.json) out(`${toSafeJson({ event: 'part', name, coreShare: share })}\n`);
      else out(`${percent(share)}  ${titles[name]}\n`);
    }
    const { enough, sentence } = machineVerdict(all);
    out(
      options.json
        ? `${toSafeJson({ event: 'verdict', enough, coreShare: all, cores: cpus().length })}\n`
        : `${percent(all)}  in total, of one of ${cpus().length} cores\n${sentence}\n`,
    );
    return enough ? exitCode.done : exitCode.failed;
  },
);

/** The fastest of several rounds, which excludes load from other programs. */
async function processorSeconds(work: Benchmark['work']): Promise<number> {
  // The first run loads and compiles code and is not measured.
  const tried = await work();
  if (!tried.ok) throw new CommandError(describeAppError(tried.error), exitCode.failed);
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

/** Limits of the share of one core; above the last, the machine is too slow. */
const verdicts = [
  [0.25, 'This machine is more than fast enough for every talk.'],
  [0.6, 'This machine is fast enough, but sound may stutter while demanding programs run.'],
  [
    0.9,
    'This machine is just fast enough: if sound stutters, turn off the camera or the recording.',
  ],
] as const;
const tooSlow =
  'This machine is too slow for everything at once: turn off noise suppression, camera and recording.';

export function machineVerdict(share: number) {
  const verdict = verdicts.find(([most]) => share <= most);
  return { enough: verdict !== undefined, sentence: verdict?.[1] ?? tooSlow };
}

const percent = (share: number): string => `${(share * 100).toFixed(1).padStart(5)} %`;
