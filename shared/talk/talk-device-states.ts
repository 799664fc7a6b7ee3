import type { AppError } from '../errors/app-error.ts';

export type DeviceRole = 'microphone' | 'speaker';

/** What of the sound devices a person should know. */
export type DeviceState =
  /** None is used, or nothing is known of it yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'using'; readonly device: string }
  | { readonly kind: 'standsIn'; readonly device: string; readonly missing: string }
  /** Silence is captured, or what is said waits; `error` says what to do. */
  | { readonly kind: 'lost'; readonly error: AppError };

export type TalkDeviceStates = Readonly<Record<DeviceRole, DeviceState>>;
