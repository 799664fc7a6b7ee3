import type { SoundChoice } from '../../../shared/settings/settings-groups.ts';

interface Named {
  readonly name: string;
  readonly hostApi?: string | undefined;
}

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

/** The host API is said only where two devices share a name, as most do on Windows. */
export function soundChoiceName(choice: SoundChoice, all: readonly Named[]): string {
  if (choice === 'default') return choice;
  const shared = all.filter(({ name }) => name === choice.name).length > 1;
  return shared && choice.hostApi !== undefined
    ? `${choice.name} (${choice.hostApi})`
    : choice.name;
}
