import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';
import { measureRun, type RunCost } from './measure-run.ts';
import { runCore } from './run-core.ts';

export interface FloodResult extends RunCost {
  readonly place: string;
  readonly code: number | undefined;
  /** The last event, which says how the session ended. */
  readonly end: string;
  /** Characters that the terminal printed, or notices that the core posted. */
  readonly outputCount: number;
}

/** Runs a talk with each address, in the terminal or in the core, and sends its cost to the parent process. */
export async function run(where: string, ...addresses: readonly string[]): Promise<void> {
  process.env['PARLEY_STATE_DIR'] = await mkdtemp(join(tmpdir(), 'parley-flood-'));
  for (const address of addresses) {
    const result = where === 'core' ? await inCore(address) : await inTerminal(where, address);
    process.send?.(result);
  }
  await rm(process.env['PARLEY_STATE_DIR'], { recursive: true, force: true });
  process.disconnect();
}

async function inTerminal(command: string, address: string): Promise<FloodResult> {
  let [outputCount, end, code] = [0, '', 0];
  const out = (text: string): void => {
    outputCount += text.length;
    if (text.includes('"closed"')) end = text;
  };
  const args =
    command === 'chat'
      ? ['chat', 'hi', '--json', '--url', address]
      : [
          'talk',
          '--json',
          '--mode',
          'audio',
          '--input',
          'resources/speech/hello.wav',
          '--chunk-ms',
          '250',
          '--url',
          address,
        ];
  const cost = await measureRun(async () => {
    code = await runTerminal(args, { out, err: out });
  });
  return { place: address, code, end, outputCount, ...cost };
}

async function inCore(address: string): Promise<FloodResult> {
  let [end, noticeCount] = ['', 0];
  const cost = await measureRun(async () => {
    ({ end, noticeCount } = await runCore(address));
  });
  return { place: address, code: undefined, end, outputCount: noticeCount, ...cost };
}
