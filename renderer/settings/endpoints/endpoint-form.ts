import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import type { VoiceForm } from '../../../shared/protocol/realtime-api.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import {
  type EndpointProfile,
  type ProfileDraft,
  type ProfileFields,
  readServerTraits,
  type ServerTraits,
} from '../../../shared/settings/connection-settings.ts';
import { parseEndpoint } from '../../../shared/settings/endpoint.ts';

/** A header or query field. Null means that the core has the value. */
export interface FormField {
  /** Identity while the name is edited. */
  readonly key: number;
  readonly name: string;
  readonly value: string | null;
}

export interface EndpointForm {
  /** Undefined for a new server. */
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
  /** JSON text. */
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

export function toEndpointForm(profile: EndpointProfile): EndpointForm {
  const { id, name, kind, url, dialect, fingerprint = '', traits = {} } = profile;
  return {
    id,
    name,
    kind: kind === 'hosted' ? 'hosted' : 'local',
    url,
    dialect,
    token: '',
    headers: toFormFields(profile.headers),
    query: toFormFields(profile.query),
    fingerprint,
    timeLimit: traits.timeLimit,
    contextLimit: traits.contextLimit,
    voiceForm: traits.voiceForm ?? 'auto',
    config: traits.config === undefined ? '' : JSON.stringify(traits.config, undefined, 2),
  };
}

/** Omits fields without a name. */
export function toProfileDraft(form: EndpointForm): ProfileDraft {
  const { id, name, kind, url, dialect, fingerprint } = form;
  const traits = parseTraits(form);
  return {
    ...(id === undefined ? {} : { id }),
    name: name.trim() === '' ? url.trim().slice(0, 80) : name.trim(),
    kind,
    url: url.trim(),
    dialect,
    headers: toRecord(form.headers),
    query: toRecord(form.query),
    ...(fingerprint.trim() === '' ? {} : { fingerprint: fingerprint.trim() }),
    ...(traits === undefined || Object.keys(traits).length === 0 ? {} : { traits }),
  };
}

/** The entered traits, without automatic ones; undefined if invalid. */
function parseTraits({
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

/** The first invalid field. Each part is validated separately. */
export function validateEndpointForm(
  form: EndpointForm,
): { readonly field: EndpointFormField; readonly problem: AppError } | undefined {
  const { url, headers, query, fingerprint, token } = form;
  const address = parseEndpoint({ url });
  if (!address.ok) return { field: 'url', problem: address.error };
  const checks = [
    ['headers', { headers: formatFields(headers, ': ') }],
    ['query', { query: formatFields(query, '=') }],
    ['fingerprint', { fingerprint: fingerprint.trim() === '' ? undefined : fingerprint }],
    ['token', { token: token === '' ? undefined : token }],
  ] as const;
  for (const [field, part] of checks) {
    const read = parseEndpoint({ url, ...part });
    if (!read.ok) return { field, problem: read.error };
  }
  return parseTraits(form) === undefined
    ? { field: 'config', problem: appError('configForm') }
    : undefined;
}

function toFormFields(hidden: ProfileFields): readonly FormField[] {
  return Object.entries(hidden).map(([name, value], key) => ({ key, name, value }));
}

function toRecord(fields: readonly FormField[]): ProfileFields {
  const named = fields.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
}

/** Hidden values were validated when they were stored. */
function formatFields(fields: readonly FormField[], separator: string): readonly string[] {
  const named = fields.filter(({ name }) => name.trim() !== '');
  return named.map(({ name, value }) => `${name.trim()}${separator}${value ?? 'kept'}`);
}
