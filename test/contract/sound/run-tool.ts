import { spawn } from 'node:child_process';

/** Runs a program to its end; a missing one has exit code 127. */
export function runTool(
  tool: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    // A library preloaded into Node must not affect the sound server’s tools.
    const { LD_PRELOAD, ...env } = process.env;
    const under = tool === process.execPath && LD_PRELOAD !== undefined ? { LD_PRELOAD } : {};
    const child = spawn(tool, words, { env: { ...env, ...under, ...environment } });
    let output = '';
    let stderr = '';
    child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
    child.on('error', () => {
      resolve({ code: 127, output, stderr });
    });
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output, stderr });
    });
  });
}
