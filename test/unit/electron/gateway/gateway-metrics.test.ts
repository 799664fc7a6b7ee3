import { describe, expect, it } from 'vitest';
import { GatewayMetrics } from '../../../../electron/gateway/gateway-metrics.ts';

const noServers = { queued: 0, backends: [] };

describe('the metrics', () => {
  it('are in Prometheus’ text format, each with its help and type before its samples', () => {
    const lines = new GatewayMetrics().format(noServers).trimEnd().split('\n');
    let current = '';
    for (const line of lines) {
      const [, kind, name] = /^# (HELP|TYPE) (\w+) .+$/u.exec(line) ?? [];
      if (kind === 'HELP') current = name ?? '';
      else if (kind === 'TYPE') expect(name).toBe(current);
      else {
        expect(line).toMatch(/^\w+(?:\{\w+="[^"\\]*"(?:,\w+="[^"\\]*")*\})? \d+(?:\.\d+)?$/u);
        expect(line.startsWith(current)).toBe(true);
      }
    }
  });

  it('count the queue and the servers by state', () => {
    const same = { serves: 'both', seconds: 0 } as const;
    const text = new GatewayMetrics().format({
      queued: 3,
      backends: [
        { name: 'a', ...same, state: 'lost' },
        { name: 'b', ...same, state: 'busy' },
        { name: 'c', ...same, state: 'busy' },
      ],
    });
    expect(text).toContain('parley_gateway_queue_length 3\n');
    expect(text).toContain('parley_gateway_workers{state="busy"} 2\n');
    expect(text).toContain('parley_gateway_workers{state="lost"} 1\n');
    expect(text).toContain('parley_gateway_workers{state="idle"} 0\n');
  });

  it('add up waits and steps in cumulative buckets', () => {
    const metrics = new GatewayMetrics();
    metrics.waited(0);
    metrics.waited(4000);
    metrics.waited(3_600_000);
    metrics.record({ kind: 'step', ms: 700, isSilent: false });
    metrics.record({ kind: 'step', ms: 1500, isSilent: true });
    const text = metrics.format(noServers);
    expect(text).toContain('parley_gateway_wait_seconds_bucket{le="1"} 1\n');
    expect(text).toContain('parley_gateway_wait_seconds_bucket{le="5"} 2\n');
    expect(text).toContain('parley_gateway_wait_seconds_bucket{le="+Inf"} 3\n');
    expect(text).toContain('parley_gateway_wait_seconds_sum 3604\n');
    expect(text).toContain('parley_gateway_step_seconds_bucket{le="0.7"} 1\n');
    expect(text).toContain('parley_gateway_step_seconds_count 2\n');
    expect(text).toContain('parley_gateway_silent_steps_total 1\n');
  });

  it('count ends by mode and reason, and no words of clients', () => {
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

  it('tell running sessions from all sessions, and errors by code', () => {
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
