import { cpus } from 'node:os';
import { toSafeJson } from '../../../../shared/text.ts';
import type { ModelPace } from '../../../../shared/model/local-model-state.ts';
import type { Benchmark, ModelBench } from '../../../app/machine-bench.ts';
import {
  type ExitCode,
  exitCode,
  type OpenParts,
  type Terminal,
  terminalCommand,
} from '../terminal-command.ts';
import { unwrapOrFail } from '../options/command-files.ts';
import { jsonOption } from '../options/connection-options.ts';
import { judgeSteps, pacedSteps } from '../../../model/model-pace.ts';
import { NextInterrupt } from './run-session.ts';

const rounds = 3;

const titles: Readonly<Record<Benchmark['name'], string>> = {
  listening: 'your voice, with echo and noise removed',
  answering: 'the answers',
  vision: 'a camera picture every second',
  recording: 'recording the talk',
};

/** Measures whether the processor, or the model on this computer, is fast enough for a talk. */
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
        range: { min: 1, max: 100, integer: true },
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
  async ({ options }, terminal, openCore: OpenParts<'openModelBench'>) => {
    const { out } = terminal;
    const { model, server = '', steps = pacedSteps, json } = options;
    if (model !== undefined) {
      const core = await openCore();
      const bench = await core.openModelBench(model === true ? '' : model, server);
      return runModelBench(bench, steps, json, terminal);
    }
    const { composeMachineBench } = await import('../../../app/machine-bench.ts');
    const benchmarks = unwrapOrFail(await composeMachineBench());
    let totalShare = 0;
    for (const { name, seconds, work } of benchmarks) {
      const share = (await processorSeconds(work)) / seconds;
      totalShare += share;
      if (options.json) out(`${toSafeJson({ event: 'part', name, coreShare: share })}\n`);
      else out(`${percent(share)}  ${titles[name]}\n`);
    }
    const { enough, sentence } = machineVerdict(totalShare);
    out(
      options.json
        ? `${toSafeJson({ event: 'verdict', enough, coreShare: totalShare, cores: cpus().length })}\n`
        : `${percent(totalShare)}  in total, of one of ${cpus().length} cores\n${sentence}\n`,
    );
    return enough ? exitCode.done : exitCode.failed;
  },
);

/** Returns the processor time of the fastest of several rounds, because other programs may slow some of them. */
async function processorSeconds(work: Benchmark['work']): Promise<number> {
  // The first run loads and compiles code and is not measured.
  unwrapOrFail(await work());
  let minSeconds = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    minSeconds = Math.min(minSeconds, (user + system) / 1e6);
  }
  return minSeconds;
}

/** The largest share of one core for each sentence. Above the last one, the machine is too slow. */
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
  const verdict = verdicts.find(([maxShare]) => share <= maxShare);
  return { enough: verdict !== undefined, sentence: verdict?.[1] ?? tooSlow };
}

const percent = (share: number): string => `${(share * 100).toFixed(1).padStart(5)} %`;

const modelSentences: Readonly<Record<ModelPace['verdict'], string>> = {
  voice: 'This computer is fast enough for talks and pictures.',
  fewPictures: 'This computer is fast enough for talks, with one picture in 2 s.',
  chatOnly: 'This computer is too slow for talks. Chat works.',
};

/** Measures the model on this computer until the end or a Ctrl-C. */
export async function runModelBench(
  bench: ModelBench,
  steps: number,
  json: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  const interrupt = new NextInterrupt(terminal);
  const stopped = interrupt.pressed.then((): ExitCode => exitCode.failed);
  try {
    return await Promise.race([measureModel(bench, steps, json, terminal), stopped]);
  } finally {
    interrupt.forget();
  }
}

async function measureModel(
  bench: ModelBench,
  steps: number,
  json: boolean,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const say = (event: string, facts: object, text: string): void =>
    out(json ? `${toSafeJson({ event, ...facts })}\n` : `${text}\n`);
  err('Loading the model…\n');
  const loadMs = Math.round(unwrapOrFail(await bench.load()));
  say('loaded', { loadMs }, `Loaded in ${(loadMs / 1000).toFixed(1)} s.`);
  const withoutPicture = summarizeSteps(unwrapOrFail(await bench.measure(steps, false)));
  say(
    'steps',
    { picture: false, steps, ...withoutPicture },
    describeSteps('Without a picture', withoutPicture),
  );
  const withPicture = summarizeSteps(unwrapOrFail(await bench.measure(steps, true)));
  say(
    'steps',
    { picture: true, steps, ...withPicture },
    describeSteps('With a picture', withPicture),
  );
  const { verdict } = withoutPicture;
  say('verdict', { verdict }, modelSentences[verdict]);
  return verdict === 'chatOnly' ? exitCode.failed : exitCode.done;
}

interface StepTimes extends ModelPace {
  readonly maxMs: number;
}

function summarizeSteps(stepMs: readonly number[]): StepTimes {
  return { ...judgeSteps(stepMs), maxMs: Math.round(Math.max(...stepMs)) };
}

function describeSteps(title: string, { medianMs, p90Ms, maxMs }: StepTimes): string {
  return `${title}: median ${medianMs} ms, 9 of 10 steps within ${p90Ms} ms, longest ${maxMs} ms.`;
}
