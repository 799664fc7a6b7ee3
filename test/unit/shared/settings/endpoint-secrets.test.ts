import { describe, expect, it } from 'vitest';
import {
  parseEndpoint,
  redactSecrets,
  endpointSecrets,
} from '../../../../shared/settings/endpoint.ts';

function secrets(text: Omit<Parameters<typeof parseEndpoint>[0], 'url'>): readonly string[] {
  const endpoint = parseEndpoint({ url: 'wss://example.com', ...text });
  if (!endpoint.ok) throw new Error(endpoint.error.code);
  return endpointSecrets(endpoint.value);
}

describe('the secrets of an endpoint', () => {
  it('are its token, its headers and its query fields, the longest first', () => {
    const query = ['key=k-123456', 'model=minicpm-o'];
    const found = secrets({ token: 'token-1', headers: ['X-Key: a-long-header'], query });
    expect(found).toEqual(['a-long-header', 'k-123456', 'token-1']);
  });

  it('exclude short values that are common in text', () => {
    expect(secrets({ token: 'abc', query: ['v=1'] })).toEqual([]);
  });

  it('are redacted everywhere in a text, the longest first', () => {
    const found = secrets({ token: 'secret', headers: ['X-Key: secret-and-more'] });
    expect(redactSecrets('"secret-and-more", secret, secretly', found)).toBe('"•••", •••, •••ly');
  });
});
