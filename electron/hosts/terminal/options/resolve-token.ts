import type { Parley } from '../../../core/compose-parley.ts';
import { UsageError } from '../exit-code.ts';
import type { Terminal } from '../terminal-command.ts';
import { unwrapOrExit } from './command-files.ts';
import { unencryptedServer } from './unencrypted-server.ts';

/** A token is a line; what is longer is another file. */
const maxTokenFileBytes = 16 * 1024;

export const tokenOptions = {
  token: {
    value: 'T|-',
    needs: 'url',
    about:
      'sent as Authorization: Bearer T; - reads it from stdin, which others on this machine cannot see',
  },
  'token-file': {
    value: 'F',
    needs: 'url',
    instead: 'token',
    file: true,
    about: 'a file with nothing but the token in it',
  },
} as const;

export const tokenNote =
  'Token: --token or --token-file, otherwise PARLEY_TOKEN from the environment, where --url is given';

interface Given {
  /** The word beside the options: the text of a chat. */
  readonly word: string | undefined;
  readonly options: {
    readonly url: string | undefined;
    readonly token: string | undefined;
    readonly 'token-file': string | undefined;
  };
}

/**
 * What was given, with the token itself where it was said to be elsewhere. What stands in the command line
 * goes before the environment; whoever gave both is told, and so is whoever sends one for all to read.
 */
export async function resolveToken<Arguments extends Given>(
  given: Arguments,
  terminal: Terminal,
  { files }: Pick<Parley, 'files'>,
): Promise<Arguments> {
  const { url } = given.options;
  if (url === undefined) return given;
  const named = await namedToken(given, terminal, files);
  const fromEnvironment = wholeToken(terminal.environmentToken?.());
  if (named !== undefined && fromEnvironment !== undefined && named !== fromEnvironment) {
    terminal.err('PARLEY_TOKEN is not used: another token was given with the command.\n');
  }
  const token = named ?? fromEnvironment;
  const server = token === undefined ? undefined : unencryptedServer(url);
  if (server !== undefined) {
    terminal.err(
      `The token goes to ${server} unencrypted, and whoever is on the way can read it: use wss:// where the server has it.\n`,
    );
  }
  return { ...given, options: { ...given.options, token } };
}

async function namedToken(
  { word, options: { token, 'token-file': file } }: Given,
  { readIn }: Terminal,
  files: Parley['files'],
): Promise<string | undefined> {
  if (file !== undefined) {
    const text = unwrapOrExit(await files.readText(file, maxTokenFileBytes));
    return wholeToken(text) ?? refuse(`${file} has no token in it.`);
  }
  if (token !== '-') return token;
  if (word === '-') refuse('Only one of the two can come from stdin: the text or the token.');
  if (readIn === undefined) return refuse('There is no stdin to read the token from.');
  return wholeToken(unwrapOrExit(await readIn())) ?? refuse('There is no token on stdin.');
}

/** Editors and `echo` end a line; an empty variable is none. */
function wholeToken(text: string | undefined): string | undefined {
  const token = text?.trim();
  return token === '' ? undefined : token;
}

function refuse(sentence: string): never {
  throw new UsageError(sentence);
}
