import type { AudioSettings } from '../../../shared/settings/settings-groups.ts';
import type { EchoDevices } from '../capture/echo-canceller.ts';

/** As makers and systems name what is worn at the ears, in the languages that Parley speaks. */
const worn =
  /head-?(?:set|phone)|ear-?(?:phone|bud|pod)|air-?pods|\bbuds\b|hands-?free|耳机|耳麥|耳麦/iu;

/**
 * Whether an echo is looked for: as it is set, and without being told wherever no device is worn at the ears, as far as
 * names tell. Headphones without a telling name are found out by what they sound like.
 */
export function isEchoCancelled(
  mode: AudioSettings['echo'],
  { microphone, speaker }: EchoDevices,
): boolean {
  if (mode !== 'auto') return mode === 'on';
  return ![microphone, speaker].some((name) => name !== undefined && worn.test(name));
}
