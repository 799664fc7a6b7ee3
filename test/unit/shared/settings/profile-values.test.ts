import { describe, expect, it } from 'vitest';
import {
  fillValues,
  valuesInUse,
  unsealedValues,
  moveQueryToFields,
  sealValues,
  subtractValues,
  withoutValues,
} from '../../../../shared/settings/profile-values.ts';

const profile = {
  headers: { 'X-Key': 'key-1', 'X-Empty': '', 'X-Kept': null },
  query: { code: 'code-1', kept: null },
};

describe('the query of an address', () => {
  it('stands among the fields, which go before it, and its mode is left out', () => {
    const url = 'wss://one.lan/v1?sig=a%20b&mode=audio&code=other&flag&=x';
    expect(moveQueryToFields({ url, query: { code: 'own', kept: null } })).toEqual({
      url: 'wss://one.lan/v1',
      query: { sig: 'a b', code: 'own', flag: '', kept: null },
    });
  });

  it('that is none, or cannot be decoded, is left as it is', () => {
    const plain = { url: 'wss://one.lan/v1', query: {} };
    expect(moveQueryToFields(plain)).toBe(plain);
    expect(moveQueryToFields({ ...plain, url: `${plain.url}?a=%zz` }).query).toEqual({ a: '%zz' });
  });
});

describe('the values of a profile', () => {
  it('are those that stand in it and are not empty', () => {
    expect(unsealedValues(profile)).toEqual({
      headers: { 'X-Key': 'key-1' },
      query: { code: 'code-1' },
    });
  });

  it('leave null where they are kept elsewhere, and only where they are the same', () => {
    const kept = { headers: { 'X-Key': 'key-1' }, query: { code: 'another' } };
    expect(sealValues(profile, kept)).toEqual({
      headers: { 'X-Key': null, 'X-Empty': '', 'X-Kept': null },
      query: { code: 'code-1', kept: null },
    });
  });

  it('come back from there; one that is missing leaves nothing to connect with', () => {
    const sealed = sealValues(profile, unsealedValues(profile));
    const kept = { headers: { 'X-Key': 'key-1', 'X-Kept': 'k' }, query: { code: 'c', kept: 'q' } };
    expect(fillValues(sealed, kept)).toEqual({
      headers: { 'X-Key': 'key-1', 'X-Empty': '', 'X-Kept': 'k' },
      query: { code: 'c', kept: 'q' },
    });
    expect(fillValues(sealed, { ...kept, query: {} })).toBeUndefined();
  });

  it('are kept as far as they have a name, and gone with the names left where they are deleted', () => {
    const kept = { headers: { 'X-Kept': 'k', 'X-Old': 'o' }, query: { code: 'c' } };
    expect(valuesInUse(profile, kept)).toEqual({ headers: { 'X-Kept': 'k' }, query: {} });
    expect(withoutValues(profile)).toEqual({
      headers: { 'X-Key': '', 'X-Empty': '', 'X-Kept': '' },
      query: { code: '', kept: '' },
    });
  });

  it('are told from others by name and value', () => {
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
