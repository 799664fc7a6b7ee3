import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startCli } from '../fakes/run-cli.ts';
import {
  isLoopback,
  socketAddresses,
  countReceivedSamples,
  StandInGateway,
  talkArguments,
} from '../llama-omni/stand-in-process.ts';

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 90_000 });

let served: StandInGateway;

beforeEach(() => {
  served = new StandInGateway();
});

afterEach(async () => {
  await served.end();
});

it('a talk through parley gateway stays on loopback and plays all of the model’s sound', async () => {
  const url = await served.start({ lostListens: 0.3, lateSound: { ms: 700, jitterMs: 400 } });
  const talking = startCli(talkArguments('audio', url));
  await talking.waitForOutput(/"event":"text"/u);
  const pids = [...served.pids, talking.child.pid ?? 0];
  const sockets = pids.map(socketAddresses);
  expect(sockets.flat().filter((socket) => !isLoopback(socket))).toEqual([]);
  expect(sockets.map(({ length }) => length > 0)).toEqual([true, true, true]);
  const { code, out, err } = await talking.ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const report = await served.model.report();
  expect(countReceivedSamples(out)).toBe(report.samplesSent);
  expect(report).toMatchObject({ isPromptComplete: true, turnsSpoken: 1 });
  expect(report.samplesSent).toBeGreaterThan(24_000);
});
