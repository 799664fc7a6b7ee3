import { spawn } from 'node:child_process';
import { errorCode, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { RunningConversion } from '../recordings/export/export-tools.ts';

const maxRunMs = 30 * 60_000;
const maxStderrLength = 4000;

const quietArgs = ['-hide_banner', '-nostdin', '-loglevel', 'error'] as const;
/** Matches ffmpeg's messages about a full disk, which are always English. */
const diskFull = /No space left on device|Disk quota exceeded/u;
const progressLine = /^out_time_us=(?<us>\d+)$/gmu;

export function hasFfmpeg(): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('ffmpeg', ['-version'], { stdio: 'ignore' });
    // Node's own time limit keeps running if the program is missing.
    const killTimer = setTimeout(() => child.kill('SIGKILL'), 5000);
    const end = (found: boolean): void => {
      clearTimeout(killTimer);
      resolve(found);
    };
    child.once('error', () => end(false));
    child.once('close', (code) => end(code === 0));
  });
}

/** Runs ffmpeg with a time limit and no prompts. */
export function runFfmpeg(
  /** The last argument is the output file. */
  args: readonly string[],
  onProgress: (ms: number) => void = () => undefined,
): RunningConversion {
  const output = args.at(-1) ?? '';
  // Without the prefix, ffmpeg takes `12:30.mp4` for a protocol and `-talk.mp4` for an option.
  const command = [
    ...quietArgs,
    '-progress',
    'pipe:1',
    '-y',
    ...args.slice(0, -1),
    `file:${output}`,
  ];
  const child = spawn('ffmpeg', command, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const last = [...text.matchAll(progressLine)].at(-1)?.groups?.['us'];
    if (last !== undefined) onProgress(Number(last) / 1000);
  });
  let stderrTail = '';
  let isStopped = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-maxStderrLength);
  });
  const killTimer = setTimeout(() => child.kill('SIGKILL'), maxRunMs);
  const done = new Promise<Outcome<undefined>>((resolve) => {
    child.once('error', (error) => {
      clearTimeout(killTimer);
      resolve(
        errorCode(error) === 'ENOENT' ? failure('ffmpegMissing') : ffmpegFailure(error.message),
      );
    });
    child.once('close', (code) => {
      clearTimeout(killTimer);
      if (isStopped) resolve(failure('exportStopped'));
      // ffmpeg reports success for a video that a full disk cut short.
      else if (diskFull.test(stderrTail)) resolve(failure('diskFull', { path: output }));
      else
        resolve(code === 0 ? { ok: true, value: undefined } : ffmpegFailure(lastLine(stderrTail)));
    });
  });
  return {
    done,
    stop: () => {
      isStopped = true;
      child.kill('SIGKILL');
    },
  };
}

function ffmpegFailure(detail: string): Outcome<never> {
  return failure('ffmpegFailed', {}, { detail });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
