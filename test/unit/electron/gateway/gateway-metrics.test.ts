import { describe, expect, it } from 'vitest';
import { GatewayMetrics } from '../../../../electron/gateway/gateway-metrics.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { setGatewayScene, silence, spokenTo } from './gateway-client.ts';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import type { Metrics } from '../../../../shared/protocol/realtime-api.ts';

const noServers = { queued: 0, backends: [] };

describe('the metrics', () => {
  it('have fixed names, helps, types and labels', () => {
    const metrics = new GatewayMetrics();
    metrics.waited(500);
    metrics.ended('audio', 'timeout');
    metrics.record({ kind: 'error', code: 'worker_busy' });
    metrics.record({ kind: 'late', what: 'joined' });
    metrics.record({ kind: 'ignored', what: 'unknown' });
    const same = { serves: 'both', seconds: 0 } as const;
    const text = metrics.format({
      queued: 1,
      backends: [
        { name: 'a', ...same, state: 'lost' },
        { name: 'b', ...same, state: 'busy' },
        { name: 'c', ...same, state: 'busy' },
      ],
    });
    const withoutBuckets = text.split('\n').filter((line) => !/le="\d/u.test(line));
    expect(withoutBuckets.join('\n')).toMatchInlineSnapshot(`
      "# HELP parley_gateway_queue_length Clients that wait for a worker.
      # TYPE parley_gateway_queue_length gauge
      parley_gateway_queue_length 1
      # HELP parley_gateway_workers Model servers by state.
      # TYPE parley_gateway_workers gauge
      parley_gateway_workers{state="idle"} 0
      parley_gateway_workers{state="busy"} 2
      parley_gateway_workers{state="occupied"} 0
      parley_gateway_workers{state="lost"} 1
      # HELP parley_gateway_sessions Sessions that run.
      # TYPE parley_gateway_sessions gauge
      parley_gateway_sessions 0
      # HELP parley_gateway_wait_seconds Time from connection to admission.
      # TYPE parley_gateway_wait_seconds histogram
      parley_gateway_wait_seconds_bucket{le="+Inf"} 1
      parley_gateway_wait_seconds_sum 0.5
      parley_gateway_wait_seconds_count 1
      # HELP parley_gateway_creation_seconds Time to create a session.
      # TYPE parley_gateway_creation_seconds histogram
      parley_gateway_creation_seconds_bucket{le="+Inf"} 0
      parley_gateway_creation_seconds_sum 0
      parley_gateway_creation_seconds_count 0
      # HELP parley_gateway_step_seconds Time from an append of a talk to its answer, and from a question of a chat to the end of its answer.
      # TYPE parley_gateway_step_seconds histogram
      parley_gateway_step_seconds_bucket{le="+Inf"} 0
      parley_gateway_step_seconds_sum 0
      parley_gateway_step_seconds_count 0
      # HELP parley_gateway_sessions_total Sessions created.
      # TYPE parley_gateway_sessions_total counter
      parley_gateway_sessions_total 0
      # HELP parley_gateway_session_ends_total Sessions ended, by mode and reason.
      # TYPE parley_gateway_session_ends_total counter
      parley_gateway_session_ends_total{mode="audio",reason="timeout"} 1
      # HELP parley_gateway_errors_total Errors by code.
      # TYPE parley_gateway_errors_total counter
      parley_gateway_errors_total{code="worker_busy"} 1
      # HELP parley_gateway_silent_steps_total Steps without an answer.
      # TYPE parley_gateway_silent_steps_total counter
      parley_gateway_silent_steps_total 0
      # HELP parley_gateway_late_inputs_total Late appends.
      # TYPE parley_gateway_late_inputs_total counter
      parley_gateway_late_inputs_total{what="joined"} 1
      # HELP parley_gateway_ignored_frames_total Frames of model servers that were ignored.
      # TYPE parley_gateway_ignored_frames_total counter
      parley_gateway_ignored_frames_total{what="unknown"} 1
      "
    `);
  });

  it('count ends by mode and reason, without the words of clients', () => {
    const metrics = new GatewayMetrics();
    const text = (): string => metrics.format(noServers);
    for (const reason of ['user_stop', 'my own "words"', 'stopped']) metrics.ended('audio', reason);
    metrics.ended('chat', 'error');
    metrics.ended('video', 'timeout');
    expect(text()).toContain('_ends_total{mode="audio",reason="client_closed"} 3\n');
    expect(text()).toContain('_ends_total{mode="chat",reason="backend_error"} 1\n');
    expect(text()).toContain('_ends_total{mode="video",reason="timeout"} 1\n');
    expect(text()).not.toContain('words');
  });

  it('count running sessions, all sessions, and errors by code', () => {
    const metrics = new GatewayMetrics();
    for (const ms of [900, 40_000]) metrics.record({ kind: 'created', ms });
    metrics.record({ kind: 'ended' });
    metrics.record({ kind: 'error', code: 'worker_busy' });
    metrics.record({ kind: 'error', code: 'a "quoted"\ncode\\' });
    const text = metrics.format(noServers);
    expect(text).toContain('parley_gateway_sessions 1\n');
    expect(text).toContain('parley_gateway_sessions_total 2\n');
    expect(text).toContain('parley_gateway_errors_total{code="worker_busy"} 1\n');
    expect(text).toContain('parley_gateway_errors_total{code="a _quoted__code_"} 1\n');
  });
});

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
