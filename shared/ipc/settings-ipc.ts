import { z } from 'zod';
import type { AppError, ErrorCode } from '../errors/app-error.ts';
import type { EndpointVerdict } from '../settings/connection-settings.ts';
import {
  type EndpointProfile,
  type ProfileDraft,
  readServerTraits,
  type SecretsKind,
  type ServerTraits,
} from '../settings/endpoint-profile.ts';
import type { PageSettingsPatch, RedactedSettings } from '../settings/redacted-settings.ts';
import { defaultSettings, type SettingsGroup } from '../settings/settings.ts';
import type { MemoryFacts } from '../vision/picture-memory.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

const groups = Object.keys(defaultSettings) as SettingsGroup[];

const id = z.string().min(1).max(40);
const endpointById = z.strictObject({ id });
const token = z.string().max(16_384);

const fields = z
  .record(z.string().min(1).max(200), z.string().max(8000).nullable())
  .refine((value) => Object.keys(value).length <= 40, { message: 'at most 40 fields' });

/** Whether an address and the rest are right, the settings say in a sentence. */
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

/** What may stand in it the rules of the settings say; servers and the proxy's address are changed by their own requests. */
const patch = z
  .looseObject({
    endpoints: z.strictObject({ chosen: z.string().max(40) }).optional(),
    proxy: z.strictObject({ way: z.enum(['system', 'none', 'address']) }).optional(),
  })
  .refine((value) => Object.keys(value).every((name) => (groups as string[]).includes(name)), {
    message: 'there is no such group of settings',
  }) as z.ZodType<PageSettingsPatch>;

/** What a page may ask of the settings, and of the servers among them. No answer has a secret in it. */
export const settingsRequests = {
  settings: request(noInput)
    .answers<{
      readonly settings: RedactedSettings;
      /** What went wrong with them since Parley began. */
      readonly problems: readonly AppError[];
    }>()
    .changedBy('settingsChanged', 'settingsProblem', 'problemOver'),
  /** What is not named stays; when something is wrong, nothing is changed. Also chooses the server. */
  changeSettings: request(patch).answers<RedactedSettings>(),
  /** Makes a group what it is at first. */
  resetSettings: request(z.strictObject({ group: z.enum(groups) })).answers<RedactedSettings>(),
  /** Adds a server, or changes the one with the draft's id. */
  putEndpoint: request(draft).answers<EndpointProfile>(),
  removeEndpoint: request(endpointById).answers<RedactedSettings>(),
  /** The token goes in here and never comes out again. */
  setToken: request(z.strictObject({ id, token })).answers<EndpointProfile>(),
  forgetToken: request(endpointById).answers<EndpointProfile>(),
  /** Uses this proxy from the next connection on. Name and password go in here and never come out again. */
  setProxy: request(
    z.strictObject({
      address: z.string().max(2000),
      name: z.string().max(1000),
      password: z.string().max(1000),
    }),
  ).answers<RedactedSettings>(),
  forgetProxyLogin: request(noInput).answers<RedactedSettings>(),
  /** How well tokens are guarded on this machine. */
  tokenStorage: request(noInput).answers<SecretsKind>(),
  /** What is known of the memory of the server that is chosen: pictures, sound and words share it. */
  serverMemory: request(noInput).answers<MemoryFacts>(),
  /** Tries a server that is kept, or one that is being filled in. */
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
  /** What was said before is over: of settings, or of written conversations. */
  readonly problemOver: { readonly code: ErrorCode };
}
