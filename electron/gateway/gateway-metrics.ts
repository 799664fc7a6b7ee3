import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type { BackendStat } from './backend.ts';
import type { GatewayStatus } from './worker-slots.ts';

/** Upper bounds of a histogram's buckets, in seconds. */
const stepBounds = [0.1, 0.25, 0.5, 0.7, 0.9, 1, 1.5, 2, 5];
const creationBounds = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 90];
const waitBounds = [0.1, 1, 5, 15, 30, 60, 120, 300, 900];

/** Labels for reasons. Any other reason may be the client's own words, which must not become labels. */
const endReasons: ReadonlyMap<string, string> = new Map([
  ...['timeout', 'context_full', 'backend_error', 'server_shutdown', 'disconnected'].map(
    (reason) => [reason, reason] as const,
  ),
  ['error', 'backend_error'],
]);

/** Counts what a gateway in front of model servers does, and writes it in Prometheus' text format. */
export class GatewayMetrics {
  readonly #waits = new Histogram(waitBounds);
  readonly #creations = new Histogram(creationBounds);
  readonly #steps = new Histogram(stepBounds);
  readonly #errors = new Map<string, number>();
  readonly #ends = new Map<string, number>();
  readonly #late = new Map<string, number>();
  readonly #ignored = new Map<string, number>();
  #silentSteps = 0;
  #endedSessions = 0;

  /** Records how long a client waited until it was admitted; about 0 without a queue. */
  readonly waited = (ms: number): void => this.#waits.add(ms / 1000);

  readonly ended = (mode: Mode, reason: string): void => {
    const known = endReasons.get(reason) ?? 'client_closed';
    countOne(this.#ends, `{mode="${mode}",reason="${known}"}`);
  };

  readonly record = (stat: BackendStat): void => {
    switch (stat.kind) {
      case 'created':
        this.#creations.add(stat.ms / 1000);
        return;
      case 'step':
        this.#steps.add(stat.ms / 1000);
        if (stat.isSilent) this.#silentSteps += 1;
        return;
      case 'late':
        countOne(this.#late, stat.what);
        return;
      case 'error':
        countOne(this.#errors, stat.code);
        return;
      case 'ignored':
        countOne(this.#ignored, stat.what);
        return;
      case 'ended':
        this.#endedSessions += 1;
    }
  };

  format({ queued, backends }: Pick<GatewayStatus, 'queued' | 'backends'>): string {
    const states = ['idle', 'busy', 'occupied', 'lost'] as const;
    const created = this.#creations.count;
    return [
      gauge('parley_gateway_queue_length', 'Clients that wait for a worker.', [['', queued]]),
      gauge(
        'parley_gateway_workers',
        'Model servers by state.',
        states.map((state) => [
          `{state="${state}"}`,
          backends.filter((backend) => backend.state === state).length,
        ]),
      ),
      gauge('parley_gateway_sessions', 'Sessions that run.', [['', created - this.#endedSessions]]),
      this.#waits.format('parley_gateway_wait_seconds', 'Time from connection to admission.'),
      this.#creations.format('parley_gateway_creation_seconds', 'Time to create a session.'),
      this.#steps.format(
        'parley_gateway_step_seconds',
        'Time from an append of a talk to its answer, and from a question of a chat to the end of its answer.',
      ),
      counter('parley_gateway_sessions_total', 'Sessions created.', [['', created]]),
      counter('parley_gateway_session_ends_total', 'Sessions ended, by mode and reason.', [
        ...this.#ends,
      ]),
      counter('parley_gateway_errors_total', 'Errors by code.', labelled('code', this.#errors)),
      counter('parley_gateway_silent_steps_total', 'Steps without an answer.', [
        ['', this.#silentSteps],
      ]),
      counter('parley_gateway_late_inputs_total', 'Late appends.', labelled('what', this.#late)),
      counter(
        'parley_gateway_ignored_frames_total',
        'Frames of model servers that were ignored.',
        labelled('what', this.#ignored),
      ),
    ].join('');
  }
}

type Sample = readonly [labels: string, value: number];

class Histogram {
  readonly #bounds: readonly number[];
  readonly #buckets: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#buckets = bounds.map(() => 0);
  }

  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    this.#sum += value;
    this.#count += 1;
    for (const [index, bound] of this.#bounds.entries())
      if (value <= bound) this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
  }

  format(name: string, help: string): string {
    const buckets = this.#bounds.map((bound, index): Sample => [
      `_bucket{le="${bound}"}`,
      this.#buckets[index] ?? 0,
    ]);
    return metric(name, help, 'histogram', [
      ...buckets,
      ['_bucket{le="+Inf"}', this.#count],
      ['_sum', this.#sum],
      ['_count', this.#count],
    ]);
  }
}

function countOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function labelled(label: string, values: ReadonlyMap<string, number>): readonly Sample[] {
  // A code can be text of the model server, with characters that would break the format.
  return [...values].map(([name, value]) => [
    `{${label}="${name.replaceAll(/["\\\n]/gu, '_')}"}`,
    value,
  ]);
}

function gauge(name: string, help: string, samples: readonly Sample[]): string {
  return metric(name, help, 'gauge', samples);
}

function counter(name: string, help: string, samples: readonly Sample[]): string {
  return metric(name, help, 'counter', samples);
}

function metric(name: string, help: string, type: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}
