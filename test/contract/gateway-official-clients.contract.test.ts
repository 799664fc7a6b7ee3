import { describe, expect, it, onTestFinished } from 'vitest';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { type OfficialClient, officialClients } from '../fixtures/official-client-frames.ts';
import { checkServerFrame } from '../independent/server-document-checks.ts';
import { StandInProcess } from '../llama-omni/stand-in-process.ts';
import { GatewayClient, gatewayHarness, gatewayKinds } from './gateway-harness.ts';

const { serve, serveBackends } = gatewayHarness();

/** Every kind of gateway with every official client of its dialect. */
const cases = gatewayKinds.flatMap(({ profile, dialect }) =>
  Object.entries<OfficialClient>(officialClients[dialect]).map(([name, client]) => ({
    profile,
    dialect,
    name,
    client,
  })),
);

interface Expected {
  readonly answer: RegExp;
  /** The description that the gateway's messages must match. */
  readonly standard: Parameters<typeof checkServerFrame>[2];
}

/** Connects two official clients to a gateway with one worker, and checks that each has a talk, one after the other. */
async function expectTalks(
  url: string,
  dialect: DialectName,
  client: OfficialClient,
  { answer, standard }: Expected,
): Promise<void> {
  const first = await connect(url, dialect, client);
  const second = await connect(url, dialect, client);
  for (const page of [first, second]) {
    const frames: unknown[] = [];
    page.socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
    await page.received('created');
    for (let step = 0; firstText(page) === undefined; step += 1) {
      if (page.kinds.includes('closed')) throw new Error('the session has ended');
      page.socket.send(step % 2 === 0 ? client.spoken : client.quiet);
      await page.next();
    }
    expect(firstText(page)).toMatch(answer);
    page.socket.send(client.goodbye);
    const { reason } = await page.received('closed');
    expect(reason).toMatch(/^(?:stopped|user_stop|client_closed)$/);
    await page.ended;
    expect(frames.flatMap((frame) => checkServerFrame(frame, dialect, standard))).toEqual([]);
    expect(page.kinds).not.toContain('error');
  }
  expect(second.kinds).toContain('queued');
}

/** The official pages configure the session 100 ms after they have connected. */
async function connect(url: string, dialect: DialectName, client: OfficialClient) {
  const page = new GatewayClient(`${url}?mode=${client.mode}`, dialect);
  await page.next();
  await new Promise((resolve) => setTimeout(resolve, 100));
  page.socket.send(client.configure);
  return page;
}

const firstText = ({ events }: GatewayClient): string | undefined =>
  events.flatMap((event) => (event.kind === 'output' && event.text ? [event.text] : []))[0];

describe.each(cases)('$name with a $profile $dialect gateway', ({ profile, dialect, client }) => {
  it('is answered even with more pages than workers', async () => {
    const url = await serve({ profile, dialect, workers: 1 });
    const standard = profile === 'documented' ? 'documents' : 'servers in use';
    await expectTalks(url, dialect, client, { answer: /^Hello/, standard });
  });
});

const deployed = cases.filter(({ profile }) => profile === 'deployed');

describe.each(deployed)('$name with a $profile $dialect gateway', ({ dialect, client }) => {
  it('is answered by a model server behind the gateway', async () => {
    const model = new StandInProcess();
    onTestFinished(() => model.end());
    await model.start({ takesAnyPace: true, loadMs: 10, stepMs: 10, lateSound: { ms: 20 } });
    const url = await serveBackends([connectBackend(new URL(model.url))], { dialect });
    await expectTalks(url, dialect, client, { answer: /./, standard: 'servers in use' });
    expect((await model.report()).isPromptComplete).toBe(true);
  });
});

it('the video page’s configure has more than 600,000 characters', () => {
  const { length } = officialClients.unified['the video page'].configure;
  expect(length).toBeGreaterThan(600_000);
});
