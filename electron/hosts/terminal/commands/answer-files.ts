import { outputRate } from '../../../../shared/protocol/protocol-limits.ts';
import { openWavWriter } from '../../../recorder/recording/wav-writer.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Outcome } from '../../../ports/outcome.ts';
import type { Cue } from '../../../conversation/captions/caption-cue.ts';
import type { CaptionFile } from '../options/answer-file-options.ts';
import { createOutputFile } from '../options/command-files.ts';

interface Wanted {
  readonly output?: string | undefined;
  readonly captions?: CaptionFile | undefined;
}

/** The files that the answer goes into, as it is heard. */
export interface AnswerFiles {
  readonly played: (samples: Float32Array) => void;
  readonly cue: (cue: Cue) => void;
  /** Writes what is left, and says what went wrong. */
  readonly finish: () => Promise<Outcome<undefined>>;
}

/** Makes them before anything is said, so that what cannot be written is known before. */
export async function openAnswerFiles(
  parley: Pick<Parley, 'files'>,
  { output, captions }: Wanted,
): Promise<AnswerFiles> {
  const wav =
    output === undefined
      ? undefined
      : openWavWriter(await createOutputFile(parley, output), {
          rate: outputRate,
          coding: 'pcm16',
        });
  const words = captions === undefined ? undefined : await createOutputFile(parley, captions.path);
  const cues: Cue[] = [];
  return {
    played: (samples) => {
      wav?.write(samples);
    },
    cue: (cue) => {
      if (words !== undefined) cues.push(cue);
    },
    finish: async () => {
      if (captions !== undefined) words?.append(captions.write(cues));
      const written = [await wav?.finish(), await words?.close()];
      return written.find((outcome) => outcome?.ok === false) ?? { ok: true, value: undefined };
    },
  };
}
