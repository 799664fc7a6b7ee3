import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fillModelFolder, installStandIn, writeCatalogue } from '../llama-omni/install-stand-in.ts';
import type { StandInFaults } from '../llama-omni/stand-in-faults.ts';

/** Runs `parley bench --model` with the stand-in. */
async function startBench(faults: StandInFaults, steps: string) {
  const folder = workFolder()('bench');
  mkdirSync(folder);
  await installStandIn(join(folder, 'bin'), faults);
  fillModelFolder(join(folder, 'model'));
  const catalogue = join(folder, 'catalogue.json');
  writeCatalogue(catalogue, join(folder, 'model'));
  const server = join(folder, 'bin', 'llama-omni-server');
  const args = ['--model', join(folder, 'model'), '--server', server, '--steps', steps, '--json'];
  const env = {
    ...process.env,
    PARLEY_MODEL_CATALOGUE: catalogue,
    PARLEY_STATE_DIR: join(folder, 'state'),
  };
  return { cli: startCli(['bench', ...args], '', env), server };
}

/** The ids of the processes that run a program. */
function processesOf(program: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program);
    } catch {
      return false;
    }
  });
}

it('parley bench measures the model with and without pictures, and ends its process', async () => {
  const { cli, server } = await startBench({ loadMs: 100, stepMs: 20, pictureMs: 200 }, '3');
  const { code, out, err } = await cli.ended;
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(events, err).toMatchObject([
    { event: 'loaded' },
    { event: 'steps', picture: false, steps: 3 },
    { event: 'steps', picture: true, steps: 3 },
    { event: 'verdict', verdict: 'voice' },
  ]);
  expect(Number(events[2]?.['medianMs'])).toBeGreaterThanOrEqual(200);
  expect(Number(events[1]?.['medianMs'])).toBeLessThan(Number(events[2]?.['medianMs']));
  expect(code).toBe(0);
  expect(processesOf(server)).toEqual([]);
});

it('parley bench ends the process at a Ctrl-C', async () => {
  const { cli, server } = await startBench({ loadMs: 100, stepMs: 300 }, '100');
  await cli.waitForOutput(/"loaded"/u);
  expect(processesOf(server)).not.toEqual([]);
  cli.child.kill('SIGINT');
  expect((await cli.ended).code).toBe(1);
  expect(processesOf(server)).toEqual([]);
});
