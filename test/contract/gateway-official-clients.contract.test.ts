import { describe, expect, it } from 'vitest';
import { type OfficialClient, officialClients } from '../fixtures/official-client-frames.ts';
import { expectOfficialTalks } from './expect-official-talks.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serve } = gatewayHarness();

const cases = (['documented', 'deployed'] as const).flatMap((profile) =>
  (['unified', 'legacy'] as const).flatMap((dialect) =>
    Object.entries<OfficialClient>(officialClients[dialect]).map(([name, client]) => ({
      profile,
      dialect,
      name,
      client,
    })),
  ),
);

describe.each(cases)('$name with a $profile $dialect gateway', ({ profile, dialect, client }) => {
  it('is answered even with more pages than workers', async () => {
    const url = await serve({ profile, dialect, workers: 1 });
    const standard = profile === 'documented' ? 'documents' : 'servers in use';
    await expectOfficialTalks(url, { dialect, client, answer: /^Hello/, standard });
  });
});

it('the pages’ configure has its known size', () => {
  const { length } = officialClients.unified['the video page'].configure;
  expect(length).toBeGreaterThan(600_000);
});
