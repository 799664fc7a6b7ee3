import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { soundFromWav } from '../../electron/audio/dsp/sound-from-wav.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import { say } from '../contract/sound/run-tool.ts';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { findVirtualCardProblem, listenToSpeaker } from '../fakes/virtual-card.ts';
import { endGateways, eventsOf, samplesOf, serveGateway } from './cli-talk.ts';

afterEach(endGateways);

vi.setConfig({ testTimeout: 60_000 });

const cardRate = 48_000;

/** From the first to the last sample that is loud enough to be speech, in seconds. */
function spokenSeconds(samples: Float32Array): number {
  const loud = (sample: number): boolean => Math.abs(sample) > 0.003;
  return (samples.findLastIndex(loud) - samples.findIndex(loud) + 1) / outputRate;
}

/** The time with sound: a busy machine delays steps, and the silence before them does not count. */
function audibleSeconds(samples: Float32Array): number {
  const block = outputRate / 10;
  let audible = 0;
  for (let at = 0; at < samples.length; at += block)
    if (samples.subarray(at, at + block).some((sample) => Math.abs(sample) > 0.003)) audible += 1;
  return audible / 10;
}

function energyOf(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}

/** The received text, and the heard text of the last caption. */
function wordsOf(out: string): { readonly said: string; readonly spoken: string | undefined } {
  const events = eventsOf(out);
  const said = events.map((event) => (event.event === 'text' ? event.text : '')).join('');
  const caption = events.findLast((event) => event.event === 'caption');
  return { said: said.trim(), spoken: caption?.spoken };
}

/** Output after the device lines. */
function notesOf(err: string): readonly string[] {
  const said = err.trimEnd().split('\n');
  expect(said.slice(0, 2)).toEqual(['Speaker: "default".', 'Microphone: "default".']);
  const deviceLine = /^(Microphone|Speaker): (?:"default"\.$|“default” does not answer)/;
  return said.slice(2).filter((line) => !deviceLine.test(line));
}

describe('parley on the virtual sound card', () => {
  beforeEach((context) => {
    const reason = findVirtualCardProblem();
    if (reason !== undefined) context.skip(reason);
  });

  it('lists the devices and prints nothing else', async () => {
    const { code, out, err } = await runCli(['devices', '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const devices = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(devices).toContainEqual(
      expect.objectContaining({ event: 'device', defaultInput: true, defaultOutput: true }),
    );
  });

  it('answers speech at the microphone through the speaker', async () => {
    const clip = soundFromWav(readFileSync('resources/speech/see.wav'), cardRate, 60);
    if (!clip.ok) throw new Error(clip.error.code);
    const listening = listenToSpeaker(outputRate);
    const options = ['--mic', '--speaker', '--max-seconds', '40', '--json'];
    const running = startCli(['talk', '--mode', 'audio', ...options]);
    // A stream may lose its first second, so wait for two chunks.
    await running.waitForOutput(/"event":"sent"[^]*"event":"sent"/);
    await say(clip.value, cardRate);
    await running.waitForOutput(/"event":"audio"[^]*"event":"listen"/);
    // The server has finished the answer. Wait until it has been heard, and its last caption has arrived.
    await vi.waitFor(
      () => {
        const { said, spoken } = wordsOf(running.written().out);
        expect(spoken).toBe(said);
      },
      { timeout: 30_000, interval: 100 },
    );
    await listening.waitForSilence(0.5);
    running.child.kill('SIGINT');
    const { code, out, err } = await running.ended;
    const heard = await listening.end();
    expect(code).toBe(0);
    expect(notesOf(err)).toEqual([expect.stringMatching(/^Ending the session/)]);

    const answered = samplesOf(out, 'audio');
    expect(wordsOf(out).spoken).toBe(wordsOf(out).said);
    expect(wordsOf(out).spoken).not.toBe('');
    expect(energyOf(heard)).toBeGreaterThan(100);
    expect(spokenSeconds(heard) / (answered / outputRate)).toBeGreaterThan(0.9);
    expect(audibleSeconds(heard) / (answered / outputRate)).toBeLessThan(1.1);
  });

  it('survives a connection that is lost while the user talks', async () => {
    const url = await serveGateway({
      faults: [{ kind: 'drop', session: 1, atStep: 2 }],
      stepMs: defaultGatewayOptions.stepMs,
    });
    const options = ['--mic', '--speaker', '--max-seconds', '40', '--json'];
    const running = startCli(['talk', '--mode', 'audio', ...options, '--url', url]);
    await running.waitForOutput(/"state":"live"[^]*"state":"live"[^]*"event":"sent"/);
    running.child.kill('SIGINT');
    const { code, out, err } = await running.ended;
    expect(code).toBe(0);
    expect(out.match(/"event":"closed"/g)).toHaveLength(1);
    expect(notesOf(err)).toEqual([
      'The session was lost (connection_lost); reconnecting.',
      expect.stringMatching(/^Ending the session/),
    ]);
  });
});
