import type { AppError, ErrorCode } from '../errors/app-error.ts';
import type { Mode } from '../protocol/realtime-api.ts';
import type { EndpointVerdict, ProxyDraft } from '../settings/connection-settings.ts';
import type { SecretsKind } from '../settings/endpoint-profile.ts';
import type {
  EndpointDraft,
  PageSettingsPatch,
  RedactedProfile,
  RedactedSettings,
} from '../settings/redacted-settings.ts';
import type { SettingsGroup } from '../settings/settings.ts';
import type { MemoryFacts } from '../vision/picture-memory.ts';
import type { Nothing } from './reply.ts';

interface Id {
  readonly id: string;
}

/** What a page may ask of the settings, and of the servers among them. No answer has a secret in it. */
export interface SettingsRequests {
  readonly settings: {
    readonly input: Nothing;
    readonly value: {
      readonly settings: RedactedSettings;
      /** What went wrong with them since Parley began. */
      readonly problems: readonly AppError[];
    };
  };
  /** What is not named stays; when something is wrong, nothing is changed. Also chooses the server. */
  readonly changeSettings: { readonly input: PageSettingsPatch; readonly value: RedactedSettings };
  /** Makes a group what it is at first. */
  readonly resetSettings: {
    readonly input: { readonly group: SettingsGroup };
    readonly value: RedactedSettings;
  };
  /** Adds a server, or changes the one with the draft's id. */
  readonly putEndpoint: { readonly input: EndpointDraft; readonly value: RedactedProfile };
  readonly removeEndpoint: { readonly input: Id; readonly value: RedactedSettings };
  /** The token goes in here and never comes out again. */
  readonly setToken: {
    readonly input: Id & { readonly token: string };
    readonly value: RedactedProfile;
  };
  readonly forgetToken: { readonly input: Id; readonly value: RedactedProfile };
  /** Uses this proxy from the next connection on. Name and password go in here and never come out again. */
  readonly setProxy: { readonly input: ProxyDraft; readonly value: RedactedSettings };
  readonly forgetProxyLogin: { readonly input: Nothing; readonly value: RedactedSettings };
  /** How well tokens are guarded on this machine. */
  readonly tokenStorage: { readonly input: Nothing; readonly value: SecretsKind };
  /** What is known of the memory of the server that is chosen: pictures, sound and words share it. */
  readonly serverMemory: { readonly input: Nothing; readonly value: MemoryFacts };
  /** Tries a server that is kept, or one that is being filled in. */
  readonly testEndpoint: {
    readonly input: {
      readonly server: EndpointDraft | Id;
      readonly mode: Mode;
      readonly token?: string | undefined;
    };
    readonly value: EndpointVerdict;
  };
}

export interface SettingsNotices {
  readonly settingsChanged: RedactedSettings;
  readonly settingsProblem: AppError;
  /** What was said before is over: of settings, or of written conversations. */
  readonly problemOver: { readonly code: ErrorCode };
}
