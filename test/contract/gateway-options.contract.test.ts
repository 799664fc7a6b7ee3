import { describe, expect, it } from 'vitest';
import type { Fault, GatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { silence, spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient, gatewayHarness } from './gateway-harness.ts';

const { serve, speech } = gatewayHarness();

const configure = { kind: 'configure', settings: {} } as const;
const append = { kind: 'append', audio: silence(1000), inputId: 'mine' } as const;

async function configuredClient(options: Partial<GatewayOptions>): Promise<GatewayClient> {
  const dialect = options.dialect ?? 'unified';
  const client = new GatewayClient(`${await serve(options)}?mode=audio`, dialect);
  await client.next();
  client.send(configure);
  return client;
}

type Step = Extract<Fault, { atStep: unknown }>['atStep'];

const stages: readonly (readonly [title: string, Step, string[]])[] = [
  ['admission', 'admission', []],
  ['creation', 'creation', ['admitted']],
  ['step 1', 1, ['admitted', 'created']],
];

describe.each(stages)('a fault at %s', (_title, atStep, kinds) => {
  it.each([
    ['service_unavailable', 1013],
    ['worker_busy', 1013],
    ['worker_connect_failed', 1013],
    ['session_failed', 1000],
  ])('may be %s', async (code, closeCode) => {
    const client = await configuredClient({ faults: [{ kind: 'error', atStep, code }] });
    if (atStep === 1) client.send(append);
    expect(await client.received('error')).toMatchObject({ code, type: 'server_error' });
    expect((await client.ended).code).toBe(closeCode);
    expect(client.kinds).toEqual([...kinds, 'error']);
  });

  it.each(['timeout', 'context_full', 'error', 'an unknown reason'])(
    'can end the session with the reason %s',
    async (reason) => {
      for (const dialect of ['unified', 'legacy'] as const) {
        const client = await configuredClient({
          dialect,
          faults: [{ kind: 'closed', atStep, reason }],
        });
        if (atStep === 1) client.send(append);
        expect((await client.received('closed')).reason).toBe(reason);
        expect((await client.ended).code).toBe(dialect === 'legacy' ? 1006 : 1000);
        expect(client.kinds).toEqual([...kinds, 'closed']);
      }
    },
  );

  it('can cut the connection', async () => {
    const client = await configuredClient({ faults: [{ kind: 'drop', atStep }] });
    if (atStep === 1) client.send(append);
    expect((await client.ended).code).toBe(1006);
    expect(client.kinds).toEqual(kinds);
  });

  it('can send an event of an unknown type', async () => {
    const client = await configuredClient({
      faults: [{ kind: 'garbage', atStep, what: 'unknownEvent' }],
    });
    if (atStep === 1) client.send(append);
    await client.received('unknown');
    expect(client.kinds).toEqual([...kinds, 'unknown']);
  });
});

describe('input ids', () => {
  it.each([
    ['documented', undefined, undefined],
    ['documented', true, 'mine'],
    ['deployed', undefined, 'mine'],
    ['deployed', false, undefined],
  ] as const)(
    'of a %s gateway with echoInputIds %s come back as %s',
    async (profile, echoInputIds, expected) => {
      const client = await configuredClient({ profile, echoInputIds });
      await client.received('created');
      client.send(append);
      expect((await client.received('listen')).inputId).toBe(expected);
    },
  );
});

it.each([
  ['unified', 20],
  ['legacy', 27],
] as const)('a %s gateway reports usage only if its option is on', async (dialect, prompt) => {
  for (const reportsUsage of [true, undefined]) {
    const client = await configuredClient({ dialect, reportsUsage });
    const created = await client.received('created');
    client.send({ kind: 'append', audio: spokenTo });
    const { metrics } = await client.received('output');
    client.send({ kind: 'close', reason: 'user_stop' });
    const closed = await client.received('closed');
    expect(created.metrics?.usage?.inputText).toBe(reportsUsage && prompt);
    expect(metrics?.stepIndex).toBe(reportsUsage && 0);
    expect(metrics?.stepUsage?.inputAudio).toBe(reportsUsage && 12);
    expect(metrics?.usage?.inputText).toBe(reportsUsage && prompt);
    expect(closed.metrics?.usage?.inputAudio).toBe(reportsUsage && 12);
  }
});

it('a gateway sends text before its sound by the configured time, and each word once', async () => {
  const firstTexts: string[] = [];
  const wholeTexts: string[] = [];
  for (const textLeadMs of [0, 700]) {
    const client = await configuredClient({ textLeadMs, profile: 'documented' });
    await client.received('created');
    client.send({ kind: 'append', audio: spokenTo });
    firstTexts.push((await client.received('output')).text ?? '');
    // The listen after the last sound belongs to the next step.
    while (!client.kinds.includes('listen')) {
      client.send(append);
      await client.next();
    }
    wholeTexts.push(
      client.events.map((event) => (event.kind === 'output' ? (event.text ?? '') : '')).join(''),
    );
  }
  const [plain = '', ahead = ''] = firstTexts;
  expect(ahead.startsWith(plain)).toBe(true);
  expect(ahead.split(' ').length).toBeGreaterThan(plain.split(' ').length);
  expect(wholeTexts[1]).toBe(wholeTexts[0]);
  const clips = speech().clips.filter(({ id }) => id === 'hello' || id === 'hear');
  expect(wholeTexts[0]).toBe(clips.map(({ text }) => text).join(' '));
});

describe('the metrics of a deployed gateway', () => {
  it('use Unix seconds and break down the time', async () => {
    const before = Date.now();
    const client = await configuredClient({});
    await client.received('created');
    const frames: string[] = [];
    client.socket.on('message', (data: Buffer) => frames.push(data.toString()));
    client.send({ kind: 'append', audio: spokenTo });
    const { metrics } = await client.received('output', 2);
    expect(Object.keys(metrics?.values ?? {}).toSorted()).toEqual([
      'cost_llm_ms',
      'cost_token2wav_ms',
      'cost_tts_ms',
      'generate_ms',
      'kv_cache_length',
      'n_tokens',
      'n_tts_tokens',
      'prefill_ms',
      'wall_clock_ms',
    ]);
    expect(metrics?.values).toMatchObject({ wall_clock_ms: 5, n_tts_tokens: 25 });
    const [first = '{}'] = frames;
    const { server_send_ts: sent } = JSON.parse(first) as { server_send_ts?: number };
    expect(sent).toBeGreaterThan(before / 1000 - 1);
    expect(sent).toBeLessThan(Date.now() / 1000 + 1);
  });
});

it('a gateway estimates a wait from the lengths of earlier sessions', async () => {
  const url = `${await serve({ workers: 1 })}?mode=chat`;
  for (let nr = 0; nr < 3; nr += 1) {
    const visitor = new GatewayClient(url);
    await visitor.received('admitted');
    visitor.send({ kind: 'close', reason: 'user_stop' });
    await visitor.ended;
  }
  await new GatewayClient(url).received('admitted');
  const waiting = new GatewayClient(url);
  // Three short sessions predict a short wait; without them the estimate would be unknown.
  expect((await waiting.received('queued')).etaSeconds).toBeLessThan(10);
});
