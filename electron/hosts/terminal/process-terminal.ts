import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { harmlessText } from '../../../shared/harmless-text.ts';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import { processOutput } from '../../app/process-output.ts';
import { forkedProcesses } from '../fork-child.ts';
import { exitCode } from './exit-code.ts';
import { type LineInput, PipedLines, TypedLines } from './line-input.ts';
import type { Screen, Terminal } from './terminal-command.ts';
import { processKeys, TypedKeys } from './typed-keys.ts';

/** A whole document is welcome; a film sent by mistake is not. */
const maxPipedBytes = 4 * 1024 * 1024;

/** A session that closes as it should takes no longer. */
const endUnreadMs = 5000;

/** The process's own streams and signals. A package's program, which is Electron, starts processes in its own way. */
export function processTerminal(processes: HostProcesses = forkedProcesses): Terminal {
  const interrupts = new Set<() => void>();
  processOutput.onOutGone(() => {
    endUnread(interrupts);
  });
  const screen = screenOf(process.stdout, process.env);
  return {
    out: processOutput.out,
    // Whatever is said about what came from outside: servers, devices, files.
    err: (text) => {
      processOutput.err(harmlessText(text));
    },
    screen,
    openKeys: screen && openKeysOf(process.stdin),
    processes,
    environmentToken: () => process.env['PARLEY_TOKEN'],
    readIn: () => readAll(process.stdin),
    openLines: openLineInput,
    onInterrupt: (listener) => {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
      interrupts.add(listener);
      return () => {
        interrupts.delete(listener);
        process.off('SIGINT', listener);
        process.off('SIGTERM', listener);
      };
    },
  };
}

/** A prompt where a person sees one; it stands on stderr, so that stdout has the answers alone. */
function openLineInput(interrupted: () => void): LineInput {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return new PipedLines(stdin);
  const screen = {
    write: processOutput.err,
    columns: () => stderr.columns,
    onResize: (listener: () => void) => {
      stderr.on('resize', listener);
    },
  };
  return new TypedLines(stdin, screen, interrupted);
}

/**
 * Whoever reads results has seen enough (`| head`): what goes on ends as it does at Ctrl-C, anything
 * else at once, and both without a word, as filters do.
 */
function endUnread(interrupts: ReadonlySet<() => void>): void {
  if (interrupts.size === 0) process.exit(exitCode.done);
  for (const interrupt of interrupts) interrupt();
  setTimeout(() => {
    process.exit(exitCode.done);
  }, endUnreadMs).unref();
}

/** None where nobody types, or where what was typed has been read to its end, as a token may be. */
function openKeysOf(stdin: NodeJS.ReadStream): Terminal['openKeys'] {
  if (!stdin.isTTY) return undefined;
  return (pressed) => {
    if (stdin.readableEnded || stdin.destroyed) return undefined;
    return new TypedKeys(processKeys(stdin), pressed).close;
  };
}

function screenOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
): Screen | undefined {
  // A dumb terminal cannot go back on its line, so it gets what a pipe gets.
  if (stream.isTTY !== true || env['TERM'] === 'dumb') return undefined;
  // https://no-color.org: set to anything but nothing.
  const colours = (env['NO_COLOR'] ?? '') === '';
  return { columns: () => stream.columns ?? 80, colours };
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<Outcome<string>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > maxPipedBytes) return failure('stdinTooLong');
    parts.push(buffer);
  }
  return { ok: true, value: Buffer.concat(parts).toString() };
}
