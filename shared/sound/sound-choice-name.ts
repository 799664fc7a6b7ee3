import type { SoundChoice } from '../settings/settings-groups.ts';

interface NamedDevice {
  readonly name: string;
  readonly hostApi?: string | undefined;
}

/** The host API is said only where two devices share a name, as most do on Windows. */
export function soundChoiceName(choice: SoundChoice, all: readonly NamedDevice[]): string {
  if (choice === 'default') return choice;
  const shared = all.filter(({ name }) => name === choice.name).length > 1;
  return shared && choice.hostApi !== undefined
    ? `${choice.name} (${choice.hostApi})`
    : choice.name;
}
