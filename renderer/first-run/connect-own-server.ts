import type { TFunction } from 'i18next';
import type { EndpointDraft } from '../../shared/settings/redacted-profile.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { errorText } from '../parts/error-text.ts';

interface OwnServer {
  readonly address: string;
  readonly token: string;
}

/** A server by its address alone; the rest can be set later. */
function endpointDraftFor(address: string): EndpointDraft {
  const url = address.trim();
  const name = hostOf(url);
  const local = /^(localhost|127\.|10\.|192\.168\.|\[?::1)/.test(name);
  return { name, kind: local ? 'local' : 'hosted', url, dialect: 'auto', headers: {}, query: {} };
}

/**
 * Tries the server, and keeps and chooses it when it answers; else why it does not, in the page's words.
 * A test takes its time: who has gone on or back meanwhile has not chosen that server.
 */
export async function connectOwnServer(
  request: Bridge['request'],
  { address, token }: OwnServer,
  t: TFunction,
  stillWanted: () => boolean,
): Promise<string | undefined> {
  const draft = endpointDraftFor(address);
  const secret = token.trim() === '' ? undefined : token.trim();
  const tested = await request('testEndpoint', { server: draft, mode: 'audio', token: secret });
  if (!tested.ok) return errorText(t, tested.error);
  if (!tested.value.ok) return errorText(t, tested.value.error);
  if (!stillWanted()) return undefined;
  const put = await request('putEndpoint', draft);
  if (!put.ok) return errorText(t, put.error);
  const { id } = put.value;
  if (secret !== undefined) {
    const kept = await request('setToken', { id, token: secret });
    if (!kept.ok) return errorText(t, kept.error);
  }
  const chosen = await request('changeSettings', { endpoints: { chosen: id } });
  return chosen.ok ? undefined : errorText(t, chosen.error);
}

function hostOf(url: string): string {
  const withScheme = /^[a-z]+:\/\//i.test(url) ? url : `wss://${url}`;
  return URL.canParse(withScheme) ? new URL(withScheme).host : url.slice(0, 80);
}
