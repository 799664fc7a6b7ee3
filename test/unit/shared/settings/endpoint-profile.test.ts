import { describe, expect, it } from 'vitest';
import { settingsRequests } from '../../../../shared/ipc/settings-ipc.ts';
import { readProfile, type ServerTraits } from '../../../../shared/settings/connection-settings.ts';
import {
  fillValues,
  moveQueryToFields,
  sealValues,
  subtractValues,
  unsealedValues,
  valuesInUse,
  withoutValues,
} from '../../../../shared/settings/profile-values.ts';

const profile = {
  headers: { 'X-Key': 'key-1', 'X-Empty': '', 'X-Kept': null },
  query: { code: 'code-1', kept: null },
};

describe('the query of a URL', () => {
  it('moves to the profile’s fields, except for the mode, and does not replace existing fields', () => {
    const url = 'wss://one.lan/v1?sig=a+b%20c&mode=audio&code=other&flag&=x';
    expect(moveQueryToFields({ url, query: { code: 'own', kept: null } })).toEqual({
      url: 'wss://one.lan/v1',
      query: { sig: 'a b c', code: 'own', flag: '', kept: null },
    });
  });

  it('leaves the profile unchanged if it is empty, and is kept as written if it cannot be decoded', () => {
    const plain = { url: 'wss://one.lan/v1', query: {} };
    expect(moveQueryToFields(plain)).toBe(plain);
    expect(moveQueryToFields({ ...plain, url: `${plain.url}?a=%zz` }).query).toEqual({ a: '%zz' });
  });
});

describe('the values of a profile', () => {
  it('are its non-empty field values', () => {
    expect(unsealedValues(profile)).toEqual({
      headers: { 'X-Key': 'key-1' },
      query: { code: 'code-1' },
    });
  });

  it('are replaced by null if the secret store has the same value', () => {
    const kept = { headers: { 'X-Key': 'key-1' }, query: { code: 'another' } };
    expect(sealValues(profile, kept)).toEqual({
      headers: { 'X-Key': null, 'X-Empty': '', 'X-Kept': null },
      query: { code: 'code-1', kept: null },
    });
  });

  it('are restored from the secret store, or not at all if one is missing there', () => {
    const sealed = sealValues(profile, unsealedValues(profile));
    const kept = { headers: { 'X-Key': 'key-1', 'X-Kept': 'k' }, query: { code: 'c', kept: 'q' } };
    expect(fillValues(sealed, kept)).toEqual({
      headers: { 'X-Key': 'key-1', 'X-Empty': '', 'X-Kept': 'k' },
      query: { code: 'c', kept: 'q' },
    });
    expect(fillValues(sealed, { ...kept, query: {} })).toBeUndefined();
  });

  it('are kept only for names that the profile still has', () => {
    const kept = { headers: { 'X-Kept': 'k', 'X-Old': 'o' }, query: { code: 'c' } };
    expect(valuesInUse(profile, kept)).toEqual({ headers: { 'X-Kept': 'k' }, query: {} });
  });

  it('are all emptied when stored values are deleted', () => {
    expect(withoutValues(profile)).toEqual({
      headers: { 'X-Key': '', 'X-Empty': '', 'X-Kept': '' },
      query: { code: '', kept: '' },
    });
  });

  it('lose the entries that are subtracted, if name and value are the same', () => {
    const others = { headers: { 'X-Key': 'key-1' }, query: { code: 'code-2' } };
    expect(subtractValues(unsealedValues(profile), others)).toEqual({
      headers: {},
      query: { code: 'code-1' },
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])('may be called %s', (name) => {
    const headers = Object.fromEntries([[name, 'key-1']]);
    const named = { headers, query: {} };
    const sealed = sealValues(named, unsealedValues(named));
    expect(Object.entries(sealed.headers)).toEqual([[name, null]]);
    expect(fillValues(sealed, { headers: {}, query: {} })).toBeUndefined();
    expect(Object.entries(fillValues(sealed, named)?.headers ?? {})).toEqual([[name, 'key-1']]);
  });
});

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
  const least = { timeLimit: 20, contextLimit: 256, voiceForm: 'wav' };
  const most = { timeLimit: 86_400, contextLimit: 10_000_000 };
  for (const each of [traits, least, most])
    expect(read(JSON.parse(JSON.stringify(each)))?.traits).toEqual(each);
  expect(read({})).not.toHaveProperty('traits');
  expect(read({ config: {} })).not.toHaveProperty('traits');
  expect(problems).toEqual([]);
});

it.each<[string, boolean, unknown]>([
  ['forty values', true, Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, null]))],
  [
    'forty-one values',
    false,
    Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`f${n}`, 'v'])),
  ],
  ['a long value', true, { long: 'x'.repeat(7999) }],
  ['an overlong value', false, { long: 'x'.repeat(8000) }],
  ['an object as a value', false, { length: { length: 3 } }],
  ['a string instead of an object', false, 'model=o'],
])('the query of a profile with %s: kept is %s', (_, isKept, query) => {
  const read = readProfile({ ...server, query }, 'list.1', () => undefined);
  expect(read?.query).toEqual(isKept ? query : {});
});

it.each([
  ['a time limit below the minimum', { timeLimit: 19 }],
  ['a time limit above the maximum', { timeLimit: 86_401 }],
  ['a fraction of a token as a limit', { contextLimit: 4096.5 }],
  ['an unknown voice form', { voiceForm: 'mp3' }],
  ['a list as config', { config: [1] }],
  ['an oversized config', { config: { text: 'x'.repeat(4000) } }],
  ['an unknown field', { later: 1 }],
  ['a string instead of an object', 'fast'],
])(
  'invalid server traits (%s) are refused from a page; in a file they are dropped and the server is kept',
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
