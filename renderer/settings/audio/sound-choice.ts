import type { SoundChoice } from '../../../shared/settings/settings-groups.ts';

/** A device as a menu's value; names hold no line breaks. */
export function soundChoiceValue(choice: SoundChoice): string {
  if (choice === 'default') return choice;
  return choice.hostApi === undefined ? choice.name : `${choice.name}\n${choice.hostApi}`;
}

export function soundChoiceOf(value: string): SoundChoice {
  if (value === 'default') return value;
  const [name = '', hostApi] = value.split('\n');
  return hostApi === undefined ? { name } : { name, hostApi };
}
