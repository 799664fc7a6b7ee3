import { spawn } from 'node:child_process';

/** Runs a program to its end; one that is not there ends with 127. */
export function runTool(
  tool: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string; readonly complaints: string }> {
  return new Promise((resolve) => {
    const child = spawn(tool, words, { env: { ...process.env, ...environment } });
    let output = '';
    let complaints = '';
    child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (complaints += piece.toString()));
    child.on('error', () => {
      resolve({ code: 127, output, complaints });
    });
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output, complaints });
    });
  });
}
