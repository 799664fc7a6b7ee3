import { z } from 'zod';
import { defaultSettings } from '../settings/default-settings.ts';
import type { SettingsGroup } from '../settings/settings.ts';
import type { PageSettingsPatch } from '../settings/redacted-settings.ts';
import { readServerTraits } from '../settings/server-traits.ts';
import type { ServerTraits } from '../settings/server-traits.ts';
import type { SettingsRequests } from './settings-contract.ts';

type Checks = {
  readonly [Name in keyof SettingsRequests]: z.ZodType<SettingsRequests[Name]['input']>;
};

const groups = Object.keys(defaultSettings) as SettingsGroup[];

const id = z.string().min(1).max(40);
const token = z.string().max(16_384);

const fields = z
  .record(z.string().min(1).max(200), z.string().max(8000).nullable())
  .refine((value) => Object.keys(value).length <= 40, { message: 'at most 40 fields' });

/** Whether an address and the rest are right, the settings say in a sentence. */
const draft = z.strictObject({
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

export const settingsChecks: Checks = {
  settings: z.undefined(),
  changeSettings: patch,
  resetSettings: z.strictObject({ group: z.enum(groups) }),
  putEndpoint: draft,
  removeEndpoint: z.strictObject({ id }),
  setToken: z.strictObject({ id, token }),
  forgetToken: z.strictObject({ id }),
  setProxy: z.strictObject({
    address: z.string().max(2000),
    name: z.string().max(1000),
    password: z.string().max(1000),
  }),
  forgetProxyLogin: z.undefined(),
  tokenStorage: z.undefined(),
  serverMemory: z.undefined(),
  testEndpoint: z.strictObject({
    server: z.union([draft, z.strictObject({ id })]),
    mode: z.enum(['audio', 'video', 'chat']),
    token: token.optional(),
  }),
};
