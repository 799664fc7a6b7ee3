import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { type OfficialClient, officialClients } from '../fixtures/official-client-frames.ts';
import { checkServerFrame } from '../independent/server-document-checks.ts';
import { StandInProcess } from '../llama-omni/stand-in-process.ts';
import { GatewayClient } from './gateway-server-client.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serveBackends } = gatewayHarness();

let server: StandInProcess;

beforeEach(async () => {
  server = new StandInProcess();
  await server.start({ takesAnyPace: true, loadMs: 10, stepMs: 10, lateSound: { ms: 20 } });
});

afterEach(() => server.end());

const cases = (['unified', 'legacy'] as const).flatMap((dialect) =>
  Object.entries<OfficialClient>(officialClients[dialect]).map(([name, client]) => ({
    dialect,
    name,
    client,
  })),
);

describe.each(cases)('$name of the $dialect dialect', ({ dialect, client }) => {
  it('talks through the gateway to llama-omni-server in another process', async () => {
    const url = await serveBackends([connectBackend(new URL(server.url))], { dialect });
    const page = new GatewayClient(`${url}?mode=${client.mode}`, dialect);
    const frames: unknown[] = [];
    page.socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
    await page.received('admitted');
    page.socket.send(client.configure);
    await page.received('created');
    const hasAnswer = (): boolean =>
      page.events.some((event) => event.kind === 'output' && (event.text ?? '') !== '');
    for (let step = 0; !hasAnswer(); step += 1) {
      page.socket.send(step % 2 === 0 ? client.spoken : client.quiet);
      await page.next();
    }
    page.socket.send(client.goodbye);
    expect((await page.received('closed')).reason).toMatch(/^(?:stopped|user_stop|client_closed)$/);
    await page.ended;
    expect(frames.flatMap((frame) => checkServerFrame(frame, dialect, 'servers in use'))).toEqual(
      [],
    );
    expect(page.kinds).not.toContain('error');
    expect((await server.report()).isPromptWhole).toBe(true);
  });
});
