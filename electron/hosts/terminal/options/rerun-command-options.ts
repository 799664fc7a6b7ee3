import { minAppendSamples, inputRate } from '../../../../shared/protocol/protocol-limits.ts';
import { presetIds } from '../../../../shared/presets/preset.ts';
import { answerFileOptions } from './answer-file-options.ts';
import type { CommandSpec } from './command-spec.ts';
import { connectionOptions, exitNote } from './connection-options.ts';
import { tokenNote } from './resolve-token.ts';

const minChunkMs = (minAppendSamples * 1000) / inputRate;

export const rerunCommandSpec = {
  name: 'rerun',
  summary: 'send what was said, shown and asked on a tape to a server again',
  word: {
    name: 'TAPE',
    about: 'a tape, of a talk or of a written conversation',
    missing: 'Say which tape to send again: parley rerun TAPE --url U.',
    file: true,
  },
  options: {
    tape: {
      value: 'DIR',
      file: true,
      about: 'records what comes of it into a new folder, for parley compare',
    },
    ...answerFileOptions,
    preset: {
      value: 'P',
      choices: presetIds,
      about: 'how the model is to behave, in place of what the tape has: one of Parley’s presets',
    },
    system: { value: 'S', instead: 'preset', about: 'the same in your own words' },
    voice: {
      value: 'REF.wav',
      file: true,
      about: 'another voice for the model to take after; any WAV file',
    },
    'tts-voice': {
      value: 'REF.wav',
      file: true,
      about: 'another voice for it to speak with',
    },
    'chunk-ms': {
      value: 'N',
      range: { min: minChunkMs, max: 5000, whole: true },
      about: `how much sound one message carries (${minChunkMs} to 5000), in place of what the tape has`,
    },
    ...connectionOptions,
  },
  notes: [
    'It takes as long as it took: the clock begins when the server has admitted the session.',
    tokenNote,
    exitNote,
  ],
} as const satisfies CommandSpec;
