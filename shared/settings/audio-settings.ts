import { isJsonObject } from '../protocol/json.ts';
import {
  booleanRule,
  choiceRule,
  idPattern,
  numberRule,
  patternRule,
  setting,
  settingsGroup,
  type ValueOf,
  valueRule,
} from './setting-rule.ts';

const voice = patternRule(idPattern, 'must be the id of a voice, or "none"');

export const voiceSettings = settingsGroup({
  /** Whom the model takes after: the id of a stored voice. */
  model: setting(voice, 'none'),
  /** Whose voice it speaks with. */
  speech: setting(voice, 'none'),
});

export type VoiceSettings = ValueOf<typeof voiceSettings>;

/** Where no voice of its own is chosen to speak with, the answer sounds like the one that the model takes after. */
export function spokenVoice({ model, speech }: VoiceSettings): string {
  return speech === 'none' ? model : speech;
}

/** By name, or whatever the system uses at the moment. */
export type SoundChoice =
  | { readonly name: string; readonly hostApi?: string | undefined }
  | 'default';

export const maxDeviceName = 300;

const device = valueRule<SoundChoice>('must be the name of a device, or "default"', (value) => {
  if (value === 'default') return value;
  if (!isJsonObject(value)) return undefined;
  const { name, hostApi } = value;
  if (typeof name !== 'string' || name === '' || name.length > maxDeviceName) return undefined;
  if (hostApi === undefined) return { name };
  return typeof hostApi === 'string' && hostApi.length <= maxDeviceName
    ? { name, hostApi }
    : undefined;
});

const clearing = choiceRule(['off', 'gentle', 'strong']);

/** How much is done about the microphone's sound. */
export type Clearing = AudioSettings['noise'];

export const audioSettings = settingsGroup({
  microphone: setting(device, 'default'),
  speaker: setting(device, 'default'),
  /** While the chosen microphone is gone: nothing is heard, or the system's own microphone stands in. */
  whileUnplugged: setting(choiceRule(['nothing', 'system']), 'nothing'),
  /** What the microphone's sound is multiplied by. */
  inputVolume: setting(numberRule(0, 4), 1),
  /** Whether what the speaker sends into the microphone is taken out: without being told not at a headset. */
  echo: setting(choiceRule(['auto', 'on', 'off']), 'auto'),
  /** Whether the noise of the room is made softer. */
  noise: setting(clearing, 'off'),
  /** Whether whoever speaks is brought to one loudness. */
  level: setting(clearing, 'off'),
  playbackVolume: setting(numberRule(0, 1), 1),
  /** A soft sound when one moves up in a queue, and when it is one's turn. */
  chimes: setting(booleanRule, true),
});

export type AudioSettings = ValueOf<typeof audioSettings>;
