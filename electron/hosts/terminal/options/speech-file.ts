import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import { outputRate } from '../../../../shared/protocol/protocol-limits.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { openWavWriter } from '../../../recorder/recording/wav-writer.ts';
import type { WavWriter } from '../../../recorder/recording/wav-writer.ts';
import { exitCode } from '../exit-code.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal-command.ts';
import { createOutputFile } from './command-files.ts';

/** Does something with the file that speech goes into, where one is named; what cannot be written is a failure. */
export async function withSpeechFile(
  parley: Pick<Parley, 'files'>,
  { err }: Pick<Terminal, 'err'>,
  path: string | undefined,
  run: (wav: WavWriter | undefined) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (path === undefined) return run(undefined);
  const wav = openWavWriter(await createOutputFile(parley, path), {
    rate: outputRate,
    coding: 'pcm16',
  });
  try {
    const code = await run(wav);
    const written = await wav.finish();
    if (written.ok) return code;
    err(`${describeAppError(written.error)}\n`);
    return exitCode.failed;
  } catch (error) {
    await wav.finish();
    throw error;
  }
}
