import type { z } from 'zod';
import { jsonLine } from '../fakes/json-line.ts';
import { type RunningCli, startCli } from '../fakes/run-cli.ts';
import type { StandInFaults } from './stand-in-faults.ts';
import { StandInProcess } from './stand-in-process.ts';

type Line = z.infer<typeof jsonLine>;

/** `parley gateway` in front of the stand-in for `llama-omni-server`, both as processes. */
export class StandInGateway {
  readonly model = new StandInProcess();
  #gateway: RunningCli | undefined;

  /** Starts both; returns the gateway's address. */
  async start(faults: StandInFaults = {}, contextSize?: number): Promise<string> {
    await this.model.start(faults, contextSize);
    const context = contextSize === undefined ? [] : ['--context', String(contextSize)];
    const backend = ['--backend', this.model.url];
    this.#gateway = startCli(['gateway', ...backend, '--port', '0', '--json', ...context], null);
    const [, url = ''] = await this.#gateway.waitForOutput(/"url":"([^"]+)"/u);
    return url;
  }

  get pids(): readonly number[] {
    return [this.model.pid, this.#gateway?.child.pid ?? 0];
  }

  async end(): Promise<void> {
    this.#gateway?.child.kill('SIGINT');
    await this.#gateway?.ended;
    await this.model.end();
  }
}

/** The arguments of `parley talk` with a short recording as input. */
export const talkArguments = (mode: string, url: string): string[] => [
  'talk',
  '--mode',
  mode,
  '--input',
  'resources/speech/hear.wav',
  '--json',
  '--url',
  url,
];

/** Counts the samples of sound in the `--json` output of `parley talk`. */
export function countReceivedSamples(out: string): number {
  const lines = out.trimEnd().split('\n');
  return lines
    .map((line): Line => jsonLine.parse(JSON.parse(line)))
    .reduce((sum, line) => sum + (line.event === 'audio' ? line.samples : 0), 0);
}
