import { UsageError, type Terminal } from '../terminal-command.ts';
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
  { name: 'image', value: 'PATH', about: 'attaches a picture to the next message' },
  { name: 'audio', value: 'F.wav', about: 'attaches a sound file to the next message' },
  {
    name: 'save',
    value: 'F',
    about: 'saves the conversation; the file extension chooses the format: .md, .txt or .json',
  },
  { name: 'new', about: 'starts a new conversation' },
  { name: 'retry', about: 'asks the last question again' },
  { name: 'go-on', about: 'continues the last answer where it stopped' },
  { name: 'help', about: 'lists these commands' },
  { name: 'quit', about: 'ends the conversation, like Ctrl-D' },
] as const satisfies readonly ConversationCommand[];

export type ConversationCommandName = (typeof conversationCommands)[number]['name'];

/** Each command's syntax and description. */
export const commandForms: readonly (readonly [string, string])[] = conversationCommands.map(
  ({ name, value, about }: ConversationCommand) => [
    value === undefined ? `/${name}` : `/${name} ${value}`,
    about,
  ],
);

export type Typed =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly name: ConversationCommandName; readonly value: string }
  | { readonly kind: 'wrong'; readonly sentence: string };

/** Reads a line as a command if it begins with a slash and a word. Two slashes escape one. */
export function readTyped(text: string): Typed {
  if (text.startsWith('//')) return { kind: 'message', text: text.slice(1) };
  const match = /^\/(?<name>[a-z-]+)(?:[^\S\n]+(?<value>[^\n]*))?$/u.exec(text.trim());
  if (match?.groups === undefined) return { kind: 'message', text };
  const { name = '', value = '' } = match.groups;
  const known = conversationCommands.find((command) => command.name === name);
  if (known === undefined) {
    const hint = `Type /help for a list. To send a message that starts with a slash, type two.`;
    return { kind: 'wrong', sentence: `Unknown command /${name}. ${hint}` };
  }
  const argument = value.trim();
  if ('value' in known && argument === '') {
    return { kind: 'wrong', sentence: `/${name} needs a value: /${name} ${known.value}.` };
  }
  if (!('value' in known) && argument !== '')
    return { kind: 'wrong', sentence: `/${name} takes no value.` };
  return { kind: 'command', name: known.name, value: argument };
}

const conversationNote =
  'Without TEXT, parley chat starts a conversation: with a prompt in a terminal, or one message per line from a pipe. Lines that start with a slash are commands, so pass untrusted text with - instead. A line that ends in \\ continues on the next line.';

export const chatCommandSpec = {
  name: 'chat',
  summary: 'send one written question, or hold a written conversation',
  word: {
    name: 'TEXT|-',
    optional: true,
    about: 'the question; - reads it from stdin',
    missing: 'Enter a question: parley chat "TEXT", or - to read it from stdin.',
  },
  options: {
    image: {
      value: 'F',
      many: true,
      file: true,
      about: 'a JPEG, PNG or WebP picture to send along; repeatable',
    },
    audio: {
      value: 'F.wav',
      many: true,
      file: true,
      about: 'a WAV file to send along; repeatable',
    },
    slices: slicesOption,
    messages: {
      value: 'F.json',
      file: true,
      about: 'earlier messages, as [{"role": "user", "content": "…"}, …]',
    },
    system: { value: 'S', about: 'the system prompt' },
    tts: {
      value: 'OUT.wav',
      file: true,
      about: 'also speaks the answer and saves it to this file',
    },
    'tts-voice': {
      value: 'REF.wav',
      file: true,
      needs: 'tts',
      about: 'the voice of the spoken answer; any WAV file',
    },
    'no-stream': { about: 'prints the answer only when it is complete' },
    'max-new-tokens': {
      value: 'N',
      range: { min: 1, max: 100_000, integer: true },
      about: 'the maximum length of the answer in tokens (default: 256)',
    },
    'length-penalty': lengthPenaltyOption,
    thinking: { about: 'lets the model think before it answers' },
    ...connectionOptions,
  },
  typed: commandForms,
  notes: [conversationNote, tokenNote, exitNote],
} as const satisfies CommandSpec;

export type ChatCommandOptions = CommandArguments<typeof chatCommandSpec>['options'];

/** Reads the question from the argument or stdin. Undefined for a conversation. */
export async function readText(
  word: string | undefined,
  { readIn }: Terminal,
): Promise<string | undefined> {
  if (word === '-' && readIn === undefined)
    throw new UsageError('The text cannot be read from stdin, because stdin is not available.');
  const text = word === '-' && readIn !== undefined ? unwrapOrExit(await readIn()) : word;
  if (text?.trim() === '') throw new UsageError('The question is empty.');
  return text;
}
