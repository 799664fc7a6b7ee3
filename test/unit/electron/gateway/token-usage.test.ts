import { describe, expect, it } from 'vitest';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { ContextUsage } from '../../../../electron/talk/context-usage.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import type { Metrics } from '../../../../shared/protocol/realtime-api.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { setGatewayScene, silence, spokenTo } from './gateway-client.ts';

const clientCodec = createClientCodec(bufferBase64);

/** The frames of a talk with one question and its answer, and the events that the client reads from them. */
function talk(options: Partial<GatewayOptions>, mode = 'video') {
  const scene = setGatewayScene(options, { codec: createServerCodec(bufferBase64) });
  const dialect = options.dialect ?? 'unified';
  const client = scene.enter(mode);
  const say = (event: Parameters<typeof clientCodec.encodeClientEvent>[0]) => {
    client.caller.receive(clientCodec.encodeClientEvent(event, dialect));
    scene.clock.advance(2000);
  };
  say({ kind: 'configure', settings: { instructions: 'Be kind.', maxSlices: 1 } });
  say({ kind: 'append', audio: spokenTo, frames: [fakeJpeg], inputId: '1' });
  for (let step = 0; step < 8; step += 1)
    say({ kind: 'append', audio: silence(1000), inputId: '2' });
  say({ kind: 'close', reason: 'user_stop' });
  const frames = client.frames.map(({ text }) => text);
  const events = frames.map((frame) => clientCodec.decodeServerEvent(frame));
  const reported = events.flatMap((event): readonly Metrics[] =>
    'metrics' in event && event.metrics?.usage !== undefined ? [event.metrics] : [],
  );
  return { frames, events, reported };
}

describe.each(['unified', 'legacy'] as const)('a gateway that reports usage, in %s', (dialect) => {
  it.each(['documented', 'deployed'] as const)(
    'sends it when the session is created, once a step and at the end, %s',
    (profile) => {
      const { events, reported } = talk({ reportsUsage: true, dialect, profile });
      const steps = reported.filter(({ stepUsage }) => stepUsage !== undefined);
      expect(steps.map(({ stepIndex }) => stepIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      expect(steps[0]?.stepUsage).toMatchObject({ inputAudio: 12, inputVision: 64 });
      const [first] = reported;
      const last = reported.at(-1);
      expect(first?.usage).toMatchObject({ inputText: 22, inputAudio: 0, outputText: 0 });
      expect(last?.stepUsage).toBeUndefined();
      const sum = (part: 'inputAudio' | 'inputVision' | 'outputText' | 'outputAudio') =>
        steps.reduce((all, { stepUsage }) => all + (stepUsage?.[part] ?? 0), 0);
      expect(last?.usage).toEqual({
        inputText: 22,
        inputAudio: sum('inputAudio'),
        inputVision: 64,
        outputText: sum('outputText'),
        outputAudio: sum('outputAudio'),
      });
      expect(sum('outputText')).toBeGreaterThan(0);
      expect(events.find(({ kind }) => kind === 'created')).toHaveProperty('metrics.usage');
      const closed = events.find(({ kind }) => kind === 'closed');
      expect(closed).toHaveProperty('metrics.contextTokens', steps.at(-1)?.contextTokens);
    },
  );
});

it('a gateway reports no usage by default, nor in chat', () => {
  expect(talk({}).frames.join('')).not.toContain('usage');
  const chat = talk({ reportsUsage: true }, 'chat').frames.join('');
  expect(chat).toContain('session.created');
  expect(chat).not.toContain('usage');
});

it('the context usage is not estimated if usage is reported', () => {
  const { events } = talk({ reportsUsage: true, profile: 'documented' });
  const contextUsage = new ContextUsage(() => 999);
  contextUsage.onEvent({ event: 'session', id: 's', dialect: 'unified', promptLength: 22 });
  for (const event of events)
    if ((event.kind === 'listen' || event.kind === 'output') && event.metrics !== undefined)
      contextUsage.onEvent({
        event: 'metrics',
        metrics: { ...event.metrics, values: {} },
        roundTripMs: 1,
      });
  const { spent, estimated } = contextUsage.view;
  expect(estimated).toEqual([]);
  expect([spent.pictures, spent.sound]).toEqual([64, 108]);
});
