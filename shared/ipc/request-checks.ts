import { z } from 'zod';
import { partNames, storedDataKinds } from '../app/program.ts';
import { ownSoundWays } from '../audio/sound-tests.ts';
import { readServerTraits, type ServerTraits } from '../settings/endpoint-profile.ts';
import type { PageSettingsPatch } from '../settings/redacted-settings.ts';
import { defaultSettings, type SettingsGroup } from '../settings/settings.ts';
import type {
  LinkRequests,
  LogRequests,
  PrivacyRequests,
  UpdateRequests,
  WindowRequests,
  WireRequests,
} from './app-contract.ts';
import type { RoomRequests, SoundRequests, VoiceRequests } from './audio-contract.ts';
import type { RequestInput, RequestName } from './contract.ts';
import {
  compareChecks,
  exportChecks,
  historyChecks,
  replayChecks,
  reportChecks,
} from './recordings-checks.ts';
import type { SettingsRequests } from './settings-contract.ts';
import { bytesCheck, chatChecks, ownWordsChecks, talkChecks, visionChecks } from './talk-checks.ts';

type Checks<Requests extends Readonly<Record<keyof Requests, { readonly input: unknown }>>> = {
  readonly [Name in keyof Requests]: z.ZodType<Requests[Name]['input']>;
};

export const privacyChecks: Checks<PrivacyRequests> = {
  storedData: z.undefined(),
  deleteStoredData: z.strictObject({ kind: z.enum([...storedDataKinds, 'all']) }),
};

const logChecks: Checks<LogRequests> = { showLogs: z.undefined() };

const windowChecks: Checks<WindowRequests> = {
  windows: z.undefined(),
  showMini: z.undefined(),
  closeMini: z.undefined(),
  showMain: z.undefined(),
  quit: z.undefined(),
};

const linkChecks: Checks<LinkRequests> = {
  openedLink: z.undefined(),
  dismissLink: z.undefined(),
};

export const wireChecks: Checks<WireRequests> = { watchWire: z.strictObject({ on: z.boolean() }) };

type SettingsChecksChecks = {
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

export const settingsChecks: SettingsChecksChecks = {
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

type Checked = SoundRequests & RoomRequests;

type SoundChecksChecks = {
  readonly [Name in keyof Checked]: z.ZodType<Checked[Name]['input']>;
};

export const soundChecks: SoundChecksChecks = {
  soundDevices: z.undefined(),
  watchSoundDevices: z.strictObject({ on: z.boolean() }),
  testSound: z.undefined(),
  recordOwnSound: z.undefined(),
  playOwnSound: z.strictObject({ as: z.enum(ownSoundWays) }),
  forgetOwnSound: z.undefined(),
  testRoom: z.undefined(),
  speakInRoom: z.undefined(),
  keepRoom: z.undefined(),
  forgetRoom: z.undefined(),
  meterMicrophone: z.strictObject({ on: z.boolean() }),
};

const updateChecks: {
  readonly [Name in keyof UpdateRequests]: z.ZodType<UpdateRequests[Name]['input']>;
} = {
  updates: z.undefined(),
  checkForUpdates: z.undefined(),
  fetchUpdate: z.undefined(),
  switchVersion: z.strictObject({ to: z.enum(['next', 'previous']) }),
  updateSeen: z.undefined(),
};

type VoicesChecksChecks = {
  readonly [Name in keyof VoiceRequests]: z.ZodType<VoiceRequests[Name]['input']>;
};

/** As long as two minutes can be in the widest samples. */
const maxVoiceBytes = 100_000_000;

/** What a voice may be called says the library. */
const name = z.string().max(1000);

export const voicesChecks: VoicesChecksChecks = {
  voices: z.undefined(),
  importVoice: z.strictObject({ name, wav: bytesCheck('a voice', maxVoiceBytes) }),
  renameVoice: z.strictObject({ id, name }),
  removeVoice: z.strictObject({ id }),
  recordVoice: z.strictObject({ name }),
  saveRecordedVoice: z.undefined(),
  cancelVoiceRecording: z.undefined(),
  previewVoice: z.strictObject({ id }),
  stopVoicePreview: z.undefined(),
};

type ChecksChecks = { readonly [Name in RequestName]: z.ZodType<RequestInput<Name>> };

/** What arrives from a renderer is `unknown` until one of these has looked at it. */
export const requestChecks: ChecksChecks = {
  about: z.undefined(),
  checkParts: z.strictObject({ parts: z.array(z.enum(partNames)).min(1).max(partNames.length) }),
  ...visionChecks,
  ...talkChecks,
  ...replayChecks,
  ...compareChecks,
  ...chatChecks,
  ...historyChecks,
  ...ownWordsChecks,
  ...exportChecks,
  ...reportChecks,
  ...settingsChecks,
  ...voicesChecks,
  ...soundChecks,
  ...privacyChecks,
  ...logChecks,
  ...linkChecks,
  ...updateChecks,
  ...wireChecks,
  ...windowChecks,
};
