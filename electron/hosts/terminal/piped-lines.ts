import { StringDecoder } from 'node:string_decoder';
import { appError } from '../../../shared/errors/app-error.ts';
import type { InputLine, LineInput } from './line-input.ts';

/** Longer than any message; a film sent by mistake has no lines at all. */
const maxLineBytes = 4 * 1024 * 1024;

/** Such as a process's stdin. */
type Pipe = AsyncIterable<Buffer | string> & { readonly destroy: () => unknown };

const ended: InputLine = { kind: 'ended' };

/** The lines of a pipe, read no further than they are asked for. */
export class PipedLines implements LineInput {
  readonly typed = false;
  readonly #stream: Pipe;
  readonly #lines: AsyncIterator<InputLine, undefined>;

  constructor(stream: Pipe) {
    this.#stream = stream;
    this.#lines = linesOf(stream);
  }

  readonly next = async (): Promise<InputLine> => {
    try {
      return (await this.#lines.next()).value ?? ended;
    } catch {
      // Closed, here or at its other end: there is no more of it.
      return ended;
    }
  };

  /** A pipe that is left open would keep the process. */
  readonly close = (): void => {
    this.#stream.destroy();
  };
}

async function* linesOf(stream: Pipe): AsyncGenerator<InputLine, undefined> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) yield lineOf(text);
    if (rest.length > maxLineBytes) {
      yield { kind: 'failed', error: appError('stdinTooLong') };
      return undefined;
    }
  }
  rest += decoder.end();
  if (rest !== '') yield lineOf(rest);
  return undefined;
}

function lineOf(text: string): InputLine {
  return { kind: 'line', text: text.replace(/\r$/, ''), goesOn: false };
}
