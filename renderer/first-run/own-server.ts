import type { EndpointDraft } from '../../shared/settings/shown-profile.ts';
import type { Bridge } from '../bridge/bridge.ts';

interface Wanted {
  readonly address: string;
  readonly token: string;
}

/** A server by its address alone; the rest can be set later. */
function draftOf(address: string): EndpointDraft {
  const url = address.trim();
  const name = hostOf(url);
  const local = /^(localhost|127\.|10\.|192\.168\.|\[?::1)/.test(name);
  return { name, kind: local ? 'local' : 'hosted', url, dialect: 'auto', headers: {}, query: {} };
}

/** Tries the server, and keeps and chooses it when it answers; else why it does not, in a sentence. */
export async function takeServer(
  request: Bridge['request'],
  { address, token }: Wanted,
): Promise<string | undefined> {
  const draft = draftOf(address);
  const secret = token.trim() === '' ? undefined : token.trim();
  const tested = await request('testEndpoint', { server: draft, mode: 'audio', token: secret });
  if (!tested.ok) return tested.error.message;
  if (!tested.value.ok) return tested.value.problem;
  const put = await request('putEndpoint', draft);
  if (!put.ok) return put.error.message;
  const { id } = put.value;
  if (secret !== undefined) {
    const kept = await request('setToken', { id, token: secret });
    if (!kept.ok) return kept.error.message;
  }
  const chosen = await request('changeSettings', { endpoints: { chosen: id } });
  return chosen.ok ? undefined : chosen.error.message;
}

function hostOf(url: string): string {
  const withScheme = /^[a-z]+:\/\//i.test(url) ? url : `wss://${url}`;
  return URL.canParse(withScheme) ? new URL(withScheme).host : url.slice(0, 80);
}
