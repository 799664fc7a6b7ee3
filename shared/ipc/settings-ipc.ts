import { z } from 'zod';
import type { AppError, ErrorCode } from '../errors/app-error.ts';
import {
  type EndpointVerdict,
  type EndpointProfile,
  type ProfileDraft,
  readServerTraits,
  type SecretsKind,
  type ServerTraits,
} from '../settings/connection-settings.ts';
import {
  type PageSettingsPatch,
  type RedactedSettings,
  defaultSettings,
  type SettingsGroup,
} from '../settings/settings.ts';
import type { ContextFacts } from '../vision/context-facts.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

const groups = Object.keys(defaultSettings) as SettingsGroup[];

const id = z.string().min(1).max(40);
const endpointById = z.strictObject({ id });
const token = z.string().max(16_384);

const fields = z
  .record(z.string().min(1).max(200), z.string().max(8000).nullable())
  .refine((value) => Object.keys(value).length <= 40, { message: 'at most 40 fields' });

/** Field lengths only; the settings validate addresses and report errors as sentences. */
const draft: z.ZodType<ProfileDraft> = z.strictObject({
  id: id.optional(),
  name: z.string().max(80),
  kind: z.enum(['local', 'hosted']),
  url: z.string().max(2000),
  dialect: z.enum(['auto', 'unified', 'legacy']),
  headers: fields,
  query: fields,
  fingerprint: z.string().max(200).optional(),
  traits: z
    .custom<ServerTraits>((value) => readServerTraits(value) !== undefined, 'no traits of a server')
    .optional(),
});

/** The settings rules validate the values. Servers and the proxy address have separate requests. */
const patch = z
  .looseObject({
    endpoints: z.strictObject({ chosen: z.string().max(40) }).optional(),
    proxy: z.strictObject({ way: z.enum(['system', 'none', 'address']) }).optional(),
    // The program and the folder have requests that check them.
    model: z
      .strictObject({
        mirror: z.enum(['huggingface', 'hf-mirror']).optional(),
        idleMinutes: z.number().int().min(0).max(1440).optional(),
        chatWhileTalking: z.enum(['whenRoom', 'never']).optional(),
      })
      .optional(),
  })
  .refine((value) => Object.keys(value).every((name) => (groups as string[]).includes(name)), {
    message: 'there is no such group of settings',
  }) as z.ZodType<PageSettingsPatch>;

/** Requests about settings and servers. No reply contains a secret. */
export const settingsRequests = {
  settings: request(noInput)
    .answers<{
      readonly settings: RedactedSettings;
      /** Settings problems that are not resolved. */
      readonly problems: readonly AppError[];
    }>()
    .withChangedBy('settingsChanged', 'settingsProblem', 'problemOver'),
  /** Changes only the named settings. If one value is invalid, none changes. It can also choose the server. */
  changeSettings: request(patch).answers<RedactedSettings>(),
  /** Restores the defaults of a group. */
  resetSettings: request(z.strictObject({ group: z.enum(groups) })).answers<RedactedSettings>(),
  /** Adds a server, or changes the server with the id of the draft. */
  putEndpoint: request(draft).answers<EndpointProfile>(),
  removeEndpoint: request(endpointById).answers<RedactedSettings>(),
  /** Stores a token. No request returns it. */
  setToken: request(z.strictObject({ id, token })).answers<EndpointProfile>(),
  forgetToken: request(endpointById).answers<EndpointProfile>(),
  /** Applies from the next connection. No request returns the login. */
  setProxy: request(
    z.strictObject({
      address: z.string().max(2000),
      name: z.string().max(1000),
      password: z.string().max(1000),
    }),
  ).answers<RedactedSettings>(),
  forgetProxyLogin: request(noInput).answers<RedactedSettings>(),
  /** How tokens are protected on this machine. */
  tokenStorage: request(noInput).answers<SecretsKind>(),
  /** The context of the chosen server, which pictures, sound and text share. */
  serverContext: request(noInput).answers<ContextFacts>(),
  /** Tests a stored server, or a draft. */
  testEndpoint: request(
    z.strictObject({
      server: z.union([draft, endpointById]),
      mode: z.enum(['audio', 'video', 'chat']),
      token: token.optional(),
    }),
  ).answers<EndpointVerdict>(),
};

export type SettingsHandlers = HandlersOf<typeof settingsRequests>;

export interface SettingsNotices {
  readonly settingsChanged: RedactedSettings;
  readonly settingsProblem: AppError;
  /** The problem with this code, of the settings or of storing chats, is over. */
  readonly problemOver: { readonly code: ErrorCode };
}
