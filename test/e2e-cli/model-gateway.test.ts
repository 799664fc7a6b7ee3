import sharp from 'sharp';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import {
  countReceivedSamples,
  StandInGateway,
  talkArguments,
} from '../llama-omni/stand-in-gateway.ts';

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 90_000 });

let served: StandInGateway;

beforeEach(() => {
  served = new StandInGateway();
});

afterEach(async () => {
  await served.end();
});

it('a talk interrupts the model and plays no more of that answer', async () => {
  const url = await served.start();
  const { code, out } = await runCli([...talkArguments('audio', url), '--interrupt-at', '6']);
  expect(code).toBe(0);
  const report = await served.model.report();
  expect(report.forcedListens).toBeGreaterThan(0);
  expect(countReceivedSamples(out)).toBeLessThan(report.samplesSent);
});

it('a talk shows the camera to the model', async () => {
  const url = await served.start({ pictureMs: 200 });
  const at = workFolder();
  const create = { width: 320, height: 240, channels: 3, background: '#a03030' } as const;
  await sharp({ create }).jpeg().toFile(at('red.jpg'));
  const { code, out } = await runCli([...talkArguments('video', url), '--frame', at('red.jpg')]);
  expect(code).toBe(0);
  expect(countReceivedSamples(out)).toBeGreaterThan(24_000);
  const { framesOffered, framesUsed } = await served.model.report();
  expect(framesUsed).toBeGreaterThan(2);
  expect(framesOffered).toBe(framesUsed);
});

it('a chat is answered by the model', async () => {
  const url = await served.start();
  const { code, out, err } = await runCli(['chat', 'Hello', '--url', url]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^Hello, I am the demonstration/u);
  expect((await served.model.report()).turnsAsked).toBe(1);
});

it('a talk is handed over before the model’s context is full', async () => {
  const url = await served.start({}, 460);
  const { code } = await runCli([
    ...talkArguments('audio', url),
    '--hand-over',
    '--max-seconds',
    '25',
  ]);
  expect(code).toBe(0);
  const report = await served.model.report();
  expect(report.contextSlid).toBe(false);
  expect(report.sessions).toBeGreaterThan(1);
});

it('a talk fails without a stack trace when its model crashes', async () => {
  const url = await served.start({ crashAtStep: 4 });
  const { code, err } = await runCli([...talkArguments('audio', url), '--max-seconds', '15']);
  expect(code).not.toBe(0);
  expect(err).not.toMatch(/\bat .*\.js/u);
  expect(await served.model.exited()).toBe('SIGSEGV');
});
