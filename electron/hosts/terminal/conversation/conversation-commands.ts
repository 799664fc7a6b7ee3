interface ConversationCommand {
  readonly name: string;
  readonly value?: string;
  readonly about: string;
}

/** What can be typed in a conversation instead of a message. */
const conversationCommands = [
  { name: 'image', value: 'PATH', about: 'a picture to look at with the next message' },
  { name: 'audio', value: 'F.wav', about: 'a sound to listen to with the next message' },
  {
    name: 'save',
    value: 'F',
    about: 'writes the conversation down, as the name ends: .md, .txt or .json',
  },
  { name: 'new', about: 'begins another conversation' },
  { name: 'retry', about: 'asks the last question again' },
  { name: 'go-on', about: 'has the last answer go on where it stopped' },
  { name: 'help', about: 'what can be typed' },
  { name: 'quit', about: 'ends, as Ctrl-D does' },
] as const satisfies readonly ConversationCommand[];

export type ConversationCommandName = (typeof conversationCommands)[number]['name'];

const all: readonly ConversationCommand[] = conversationCommands;

/** Each as it is typed, beside what it does. */
export const typedForms: readonly (readonly [string, string])[] = all.map(
  ({ name, value, about }) => [value === undefined ? `/${name}` : `/${name} ${value}`, about],
);

/** What a message says, or what is to be done. */
export type Typed =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly name: ConversationCommandName; readonly value: string }
  | { readonly kind: 'wrong'; readonly sentence: string };

/** One line that begins with a slash and a word is a command; two slashes are one that is meant. */
export function readTyped(text: string): Typed {
  if (text.startsWith('//')) return { kind: 'message', text: text.slice(1) };
  const match = /^\/(?<name>[a-z-]+)(?:[^\S\n]+(?<value>[^\n]*))?$/u.exec(text.trim());
  if (match?.groups === undefined) return { kind: 'message', text };
  const { name = '', value = '' } = match.groups;
  const known = conversationCommands.find((command) => command.name === name);
  if (known === undefined) {
    const how = `/help lists them, and a message that begins with a slash begins with two.`;
    return { kind: 'wrong', sentence: `There is no command /${name}; ${how}` };
  }
  const given = value.trim();
  if ('value' in known && given === '') {
    return { kind: 'wrong', sentence: `/${name} needs a value: /${name} ${known.value}.` };
  }
  if (!('value' in known) && given !== '')
    return { kind: 'wrong', sentence: `/${name} takes nothing behind it.` };
  return { kind: 'command', name: known.name, value: given };
}
