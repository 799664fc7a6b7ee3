import {
  connectionDetails,
  connectionOptions,
  connectionUsage,
  exitDetails,
  readConnection,
} from './connection-options.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { UsageError } from '../terminal-command.ts';
import type { Terminal } from '../terminal-command.ts';
import { readFlags } from './read-flags.ts';
import { unwrapOrExit } from './command-files.ts';
import { readOptionalNumber } from './option-values.ts';

export const chatUsage =
  'parley chat TEXT|- [--image F]… [--system S] [--tts OUT.wav] [--no-stream]' +
  ` [--max-new-tokens N] [--length-penalty X] [--thinking] ${connectionUsage}`;

export const chatDetails: readonly string[] = [
  'TEXT                 what to ask; - reads it from stdin',
  '--image F            a JPEG or PNG to look at; may be given again',
  '--system S           how the model is to behave',
  '--tts OUT.wav        has the answer spoken, into this file',
  '--no-stream          waits for the whole answer',
  '--max-new-tokens N   how long the answer may become',
  '--length-penalty X   above 1 for longer answers, below for shorter (0.1 to 5)',
  '--thinking           lets the model think first',
  ...connectionDetails,
  ...exitDetails,
];

export interface ChatCommandOptions {
  readonly connection: ConnectionOptions;
  readonly text: string;
  readonly images: readonly string[];
  readonly system: string | undefined;
  readonly tts: string | undefined;
  readonly streaming: boolean;
  readonly maxNewTokens: number | undefined;
  readonly lengthPenalty: number | undefined;
  readonly thinking: boolean;
}

const options = {
  ...connectionOptions,
  image: { type: 'string', multiple: true },
  system: { type: 'string' },
  tts: { type: 'string' },
  'no-stream': { type: 'boolean' },
  'max-new-tokens': { type: 'string' },
  'length-penalty': { type: 'string' },
  thinking: { type: 'boolean' },
} as const;

export async function readChatCommandOptions(
  args: readonly string[],
  terminal: Terminal,
): Promise<ChatCommandOptions> {
  const { values, words } = readFlags(args, options, 1);
  const connection = readConnection(values);
  if (connection.dialect === 'legacy') {
    throw new UsageError('--dialect legacy has no chat; only the unified dialect has.');
  }
  return {
    connection,
    maxNewTokens: readOptionalNumber('--max-new-tokens', values['max-new-tokens'], {
      min: 1,
      max: 100_000,
      whole: true,
    }),
    lengthPenalty: readOptionalNumber('--length-penalty', values['length-penalty'], {
      min: 0.1,
      max: 5,
    }),
    images: values.image ?? [],
    system: values.system,
    tts: values.tts,
    streaming: values['no-stream'] !== true,
    thinking: values.thinking === true,
    text: await readText(words[0], terminal),
  };
}

async function readText(word: string | undefined, terminal: Terminal): Promise<string> {
  if (word === undefined) {
    throw new UsageError('Say what to ask: parley chat "TEXT", or - to read it from stdin.');
  }
  const text = word === '-' ? await readPiped(terminal) : word;
  if (text.trim() === '') throw new UsageError('There is nothing to ask: the text is empty.');
  return text;
}

async function readPiped({ readIn }: Terminal): Promise<string> {
  if (readIn === undefined) throw new UsageError('There is no stdin to read the text from.');
  return unwrapOrExit(await readIn());
}
