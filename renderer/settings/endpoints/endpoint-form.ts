import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import type { VoiceForm } from '../../../shared/protocol/client-event.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import {
  type EndpointProfile,
  type ProfileDraft,
  type ProfileFields,
  readServerTraits,
  type ServerTraits,
} from '../../../shared/settings/endpoint-profile.ts';
import { parseEndpoint } from '../../../shared/settings/endpoint.ts';

/** One header or query field; a null value is stored by the core and not shown. */
export interface FormField {
  /** Tells it from the others while its name is being written. */
  readonly key: number;
  readonly name: string;
  readonly value: string | null;
}

/** A server as it is being filled in. */
export interface EndpointForm {
  /** None while it is new. */
  readonly id: string | undefined;
  readonly name: string;
  readonly kind: 'local' | 'hosted';
  readonly url: string;
  readonly dialect: ProfileDraft['dialect'];
  readonly token: string;
  readonly headers: readonly FormField[];
  readonly query: readonly FormField[];
  readonly fingerprint: string;
  readonly timeLimit: number | undefined;
  readonly contextLimit: number | undefined;
  readonly voiceForm: VoiceForm | 'auto';
  /** As the person writes it. */
  readonly config: string;
}

export const emptyEndpointForm: EndpointForm = {
  id: undefined,
  name: '',
  kind: 'local',
  url: '',
  dialect: 'auto',
  token: '',
  headers: [],
  query: [],
  fingerprint: '',
  timeLimit: undefined,
  contextLimit: undefined,
  voiceForm: 'auto',
  config: '',
};

export function endpointFormOf(profile: EndpointProfile): EndpointForm {
  const { id, name, kind, url, dialect, fingerprint = '', traits = {} } = profile;
  return {
    id,
    name,
    kind: kind === 'hosted' ? 'hosted' : 'local',
    url,
    dialect,
    token: '',
    headers: fieldsOf(profile.headers),
    query: fieldsOf(profile.query),
    fingerprint,
    timeLimit: traits.timeLimit,
    contextLimit: traits.contextLimit,
    voiceForm: traits.voiceForm ?? 'auto',
    config: traits.config === undefined ? '' : JSON.stringify(traits.config, undefined, 2),
  };
}

/** As the core takes it; a field without a name has been left empty and is none. */
export function endpointDraftOf(form: EndpointForm): ProfileDraft {
  const { id, name, kind, url, dialect, fingerprint } = form;
  const traits = traitsOf(form);
  return {
    ...(id === undefined ? {} : { id }),
    name: name.trim() === '' ? url.trim().slice(0, 80) : name.trim(),
    kind,
    url: url.trim(),
    dialect,
    headers: recordOf(form.headers),
    query: recordOf(form.query),
    ...(fingerprint.trim() === '' ? {} : { fingerprint: fingerprint.trim() }),
    ...(traits === undefined || Object.keys(traits).length === 0 ? {} : { traits }),
  };
}

/** What is filled in of the server's traits, without what is left to be found out; nothing where it cannot be. */
function traitsOf({
  timeLimit,
  contextLimit,
  voiceForm,
  config,
}: EndpointForm): ServerTraits | undefined {
  const fields = config.trim() === '' ? {} : parseJsonObject(config);
  if (fields === undefined) return undefined;
  return readServerTraits({
    timeLimit,
    contextLimit,
    voiceForm: voiceForm === 'auto' ? undefined : voiceForm,
    config: fields,
  });
}

export type EndpointFormField = 'url' | 'headers' | 'query' | 'fingerprint' | 'token' | 'config';

/** The first thing that is wrong, and where: each part is tried on its own. */
export function endpointFormFault(
  form: EndpointForm,
): { readonly field: EndpointFormField; readonly problem: AppError } | undefined {
  const { url, headers, query, fingerprint, token } = form;
  const address = parseEndpoint({ url });
  if (!address.ok) return { field: 'url', problem: address.error };
  const tried = [
    ['headers', { headers: pairs(headers, ': ') }],
    ['query', { query: pairs(query, '=') }],
    ['fingerprint', { fingerprint: fingerprint.trim() === '' ? undefined : fingerprint }],
    ['token', { token: token === '' ? undefined : token }],
  ] as const;
  for (const [place, part] of tried) {
    const read = parseEndpoint({ url, ...part });
    if (!read.ok) return { field: place, problem: read.error };
  }
  return traitsOf(form) === undefined
    ? { field: 'config', problem: appError('configForm') }
    : undefined;
}

function fieldsOf(hidden: ProfileFields): readonly FormField[] {
  return Object.entries(hidden).map(([name, value], key) => ({ key, name, value }));
}

function recordOf(fields: readonly FormField[]): ProfileFields {
  const named = fields.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
}

/** A value that is not shown is right: it was once taken. */
function pairs(fields: readonly FormField[], between: string): readonly string[] {
  const named = fields.filter(({ name }) => name.trim() !== '');
  return named.map(({ name, value }) => `${name.trim()}${between}${value ?? 'kept'}`);
}
