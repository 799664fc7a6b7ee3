import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { type OfficialClient, officialClients } from '../fixtures/official-client-frames.ts';
import { checkServerFrame } from '../independent/server-document-checks.ts';
import { GatewayClient } from './gateway-server-client.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serve } = gatewayHarness();

const all = (['documented', 'deployed'] as const).flatMap((profile) =>
  (['unified', 'legacy'] as const).flatMap((dialect) =>
    Object.entries<OfficialClient>(officialClients[dialect]).map(([who, says]) => ({
      profile,
      dialect,
      who,
      says,
    })),
  ),
);

async function pageAfter100Ms(url: string, dialect: DialectName, says: OfficialClient) {
  const page = new GatewayClient(`${url}?mode=${says.mode}`, dialect);
  await page.next();
  // Its events by then are all it will ever get.
  await new Promise((resolve) => setTimeout(resolve, 100));
  page.socket.send(says.configure);
  return page;
}

describe.each(all)('$who with a $profile $dialect gateway', ({ profile, dialect, says }) => {
  it('is answered even with more pages than workers', async () => {
    const url = await serve({ profile, dialect, workers: 1 });
    const first = await pageAfter100Ms(url, dialect, says);
    const second = await pageAfter100Ms(url, dialect, says);
    for (const page of [first, second]) {
      const frames: unknown[] = [];
      page.socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
      await page.received('created');
      page.socket.send(says.spoken);
      page.socket.send(says.quiet);
      page.socket.send(says.spoken);
      page.socket.send(says.quiet);
      const { text = '' } = await page.received('output');
      expect(text).toMatch(/^Hello/);
      page.socket.send(says.goodbye);
      const { reason } = await page.received('closed');
      expect(reason).toMatch(/^(?:stopped|user_stop|client_closed)$/);
      await page.ended;
      const by = profile === 'documented' ? 'documents' : 'servers in use';
      expect(frames.flatMap((frame) => checkServerFrame(frame, dialect, by))).toEqual([]);
      expect(page.kinds).not.toContain('error');
    }
    expect(second.kinds).toContain('queued');
  });
});

it('the pages’ configure has its known size', () => {
  const { length } = officialClients.unified['the video page'].configure;
  expect(length).toBeGreaterThan(600_000);
});
