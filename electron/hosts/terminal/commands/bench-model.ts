import type { Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { toSafeJson } from '../../../../shared/sanitize-text.ts';
import type { ModelPace } from '../../../../shared/model/local-model.ts';
import type { ModelBench } from '../../../app/model-bench.ts';
import { judgeSteps } from '../../../model/model-pace.ts';
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal-command.ts';
import { NextInterrupt } from './run-session.ts';

const sentences: Readonly<Record<ModelPace['verdict'], string>> = {
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
    return await Promise.race([measure(bench, steps, json, terminal), stopped]);
  } finally {
    interrupt.forget();
  }
}

async function measure(
  bench: ModelBench,
  steps: number,
  json: boolean,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const say = (event: string, facts: object, text: string): void =>
    out(json ? `${toSafeJson({ event, ...facts })}\n` : `${text}\n`);
  err('Loading the model…\n');
  const loadMs = Math.round(measuredOrExit(await bench.load()));
  say('loaded', { loadMs }, `Loaded in ${(loadMs / 1000).toFixed(1)} s.`);
  const plain = figures(measuredOrExit(await bench.measure(steps, false)));
  say('steps', { picture: false, steps, ...plain }, line('Without a picture', plain));
  const seeing = figures(measuredOrExit(await bench.measure(steps, true)));
  say('steps', { picture: true, steps, ...seeing }, line('With a picture', seeing));
  const { verdict } = plain;
  say('verdict', { verdict }, sentences[verdict]);
  return verdict === 'chatOnly' ? exitCode.failed : exitCode.done;
}

function measuredOrExit<Value>(outcome: Outcome<Value>): Value {
  if (outcome.ok) return outcome.value;
  throw new CommandError(describeAppError(outcome.error), exitCode.failed);
}

interface Figures extends ModelPace {
  readonly maxMs: number;
}

function figures(stepMs: readonly number[]): Figures {
  return { ...judgeSteps(stepMs), maxMs: Math.round(Math.max(...stepMs)) };
}

function line(title: string, { medianMs, p90Ms, maxMs }: Figures): string {
  return `${title}: median ${medianMs} ms, 9 of 10 steps within ${p90Ms} ms, longest ${maxMs} ms.`;
}
