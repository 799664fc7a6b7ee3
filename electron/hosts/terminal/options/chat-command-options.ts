import { UsageError } from '../exit-code.ts';
import type { Terminal } from '../terminal-command.ts';
import { unwrapOrExit } from './command-files.ts';
import type { CommandArguments, CommandSpec } from './command-spec.ts';
import {
  connectionOptions,
  exitNote,
  lengthPenaltyOption,
  slicesOption,
  tokenNote,
} from './connection-options.ts';

interface ConversationCommand {
  readonly name: string;
  readonly value?: string;
  readonly about: string;
}

/** Commands that a user can type in place of a message. */
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

/** Each command's syntax and description. */
export const commandForms: readonly (readonly [string, string])[] = all.map(
  ({ name, value, about }) => [value === undefined ? `/${name}` : `/${name} ${value}`, about],
);

/** A typed message or command. */
export type Typed =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly name: ConversationCommandName; readonly value: string }
  | { readonly kind: 'wrong'; readonly sentence: string };

/** A line that begins with a slash and a word is a command; two slashes escape one. */
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
  const argument = value.trim();
  if ('value' in known && argument === '') {
    return { kind: 'wrong', sentence: `/${name} needs a value: /${name} ${known.value}.` };
  }
  if (!('value' in known) && argument !== '')
    return { kind: 'wrong', sentence: `/${name} takes nothing behind it.` };
  return { kind: 'command', name: known.name, value: argument };
}

const conversationNote =
  'Without a text it is a conversation: at a prompt in a terminal, a message a line in a pipe. What begins with a slash is done there: text of others is given by -. A line that ends in \\ goes on in the next.';

export const chatCommandSpec = {
  name: 'chat',
  summary: 'ask one thing in writing, or many in a conversation',
  word: {
    name: 'TEXT|-',
    optional: true,
    about: 'what to ask; - reads it from stdin; left out, it is a conversation',
    missing: 'Say what to ask: parley chat "TEXT", or - to read it from stdin.',
  },
  options: {
    image: {
      value: 'F',
      many: true,
      file: true,
      about: 'a JPEG, PNG or WebP to look at; may be given again',
    },
    audio: {
      value: 'F.wav',
      many: true,
      file: true,
      about: 'a sound to listen to, any WAV file; may be given again',
    },
    slices: slicesOption,
    messages: {
      value: 'F.json',
      file: true,
      about: 'what was said before, as [{"role": "user", "content": "…"}, …]',
    },
    system: { value: 'S', about: 'how the model is to behave' },
    tts: { value: 'OUT.wav', file: true, about: 'has the answer spoken, into this file' },
    'tts-voice': {
      value: 'REF.wav',
      file: true,
      needs: 'tts',
      about: 'the voice it speaks with; any WAV file',
    },
    'no-stream': { about: 'waits for the whole answer' },
    'max-new-tokens': {
      value: 'N',
      range: { min: 1, max: 100_000, whole: true },
      about: 'how long the answer may become, in tokens; else 256',
    },
    'length-penalty': lengthPenaltyOption,
    thinking: { about: 'lets the model think first' },
    ...connectionOptions,
  },
  typed: commandForms,
  notes: [conversationNote, tokenNote, exitNote],
} as const satisfies CommandSpec;

export type ChatCommandOptions = CommandArguments<typeof chatCommandSpec>['options'];

/** The question, from the argument or stdin; undefined for a conversation. */
export async function readText(
  word: string | undefined,
  { readIn }: Terminal,
): Promise<string | undefined> {
  if (word === '-' && readIn === undefined)
    throw new UsageError('There is no stdin to read the text from.');
  const text = word === '-' && readIn !== undefined ? unwrapOrExit(await readIn()) : word;
  if (text?.trim() === '') throw new UsageError('There is nothing to ask: the text is empty.');
  return text;
}
