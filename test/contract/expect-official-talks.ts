import { expect } from 'vitest';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import type { OfficialClient } from '../fixtures/official-client-frames.ts';
import { checkServerFrame } from '../independent/server-document-checks.ts';
import { GatewayClient } from './gateway-server-client.ts';

interface OfficialTalks {
  readonly dialect: DialectName;
  readonly client: OfficialClient;
  readonly answer: RegExp;
  /** The description that the gateway's messages must match. */
  readonly standard: Parameters<typeof checkServerFrame>[2];
}

/** Connects two official clients to a gateway with one worker, and checks that each has a talk, one after the other. */
export async function expectOfficialTalks(
  url: string,
  { dialect, client, answer, standard }: OfficialTalks,
): Promise<void> {
  const first = await connect(url, dialect, client);
  const second = await connect(url, dialect, client);
  for (const page of [first, second]) {
    const frames: unknown[] = [];
    page.socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
    await page.received('created');
    for (const frame of [client.spoken, client.quiet, client.spoken, client.quiet])
      page.socket.send(frame);
    expect((await page.received('output')).text).toMatch(answer);
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
