import { expect, it } from 'vitest';
import { settingsRequests } from '../../../../shared/ipc/settings-ipc.ts';
import { readProfile, type ServerTraits } from '../../../../shared/settings/endpoint-profile.ts';

const server = {
  id: 'mine',
  name: 'Mine',
  kind: 'local',
  url: 'ws://127.0.0.1:8006',
  dialect: 'auto',
  headers: {},
  query: {},
} as const;

const traits: ServerTraits = {
  timeLimit: 300,
  contextLimit: 4096,
  voiceForm: 'float32',
  config: { length_penalty: 1.1, nested: { a: [1, null] } },
};

it('server traits round-trip, and empty ones are omitted', () => {
  const problems: string[] = [];
  const read = (given: unknown) =>
    readProfile({ ...server, hasToken: false, traits: given }, 'list.1', (place) => {
      problems.push(place);
    });
  expect(read(JSON.parse(JSON.stringify(traits)))?.traits).toEqual(traits);
  expect(read({})).not.toHaveProperty('traits');
  expect(read({ config: {} })).not.toHaveProperty('traits');
  expect(problems).toEqual([]);
});

it.each([
  ['a time limit below the minimum', { timeLimit: 3 }],
  ['a fraction of a token as a limit', { contextLimit: 4096.5 }],
  ['an unknown voice form', { voiceForm: 'mp3' }],
  ['a list as config', { config: [1] }],
  ['an oversized config', { config: { text: 'x'.repeat(4000) } }],
  ['an unknown field', { later: 1 }],
  ['a string instead of an object', 'fast'],
])(
  'server traits with %s are rejected from a page, and ignored in a file, whose server stays',
  (_, wrong) => {
    const problems: string[] = [];
    const profile = readProfile(
      { ...server, hasToken: false, traits: wrong },
      'list.1',
      (place) => {
        problems.push(place);
      },
    );
    expect(profile).toMatchObject({ url: server.url });
    expect(profile).not.toHaveProperty('traits');
    expect(problems).toEqual(['list.1.traits']);
    expect(settingsRequests.putEndpoint.input.safeParse({ ...server, traits: wrong }).success).toBe(
      false,
    );
    expect(settingsRequests.putEndpoint.input.safeParse({ ...server, traits }).success).toBe(true);
  },
);
