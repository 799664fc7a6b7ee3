import type {
  GenerationOptions,
  SessionSettings,
} from '../../../../shared/protocol/client-event.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { maxVoiceSeconds, readSound } from '../options/command-files.ts';
import type { TalkCommandOptions } from '../options/talk-command-options.ts';

/** What servers take for granted. */
const defaultChunkMs = 1000;

/** What a session is configured with, as the options say; what they leave out is the server's own. */
export async function readTalkSettings(
  parley: Pick<Parley, 'files' | 'presetMessages'>,
  options: TalkCommandOptions,
): Promise<SessionSettings> {
  const { voice, ttsVoice, preset, slices } = options;
  const model = voice === undefined ? undefined : await readSound(parley, voice, maxVoiceSeconds);
  const speech =
    ttsVoice === undefined ? undefined : await readSound(parley, ttsVoice, maxVoiceSeconds);
  const generation = generationOf(options);
  return {
    instructions:
      preset === undefined ? options.system : (await parley.presetMessages())[preset].instructions,
    ...(Object.keys(generation).length === 0 ? {} : { generation }),
    ...(model === undefined && speech === undefined ? {} : { voice: { model, speech } }),
    ...(slices === undefined ? {} : { maxSlices: slices }),
  };
}

function generationOf({ chunkMs, lengthPenalty, config }: TalkCommandOptions): GenerationOptions {
  return {
    ...(chunkMs === defaultChunkMs ? {} : { chunkMs }),
    ...(lengthPenalty === undefined ? {} : { lengthPenalty }),
    ...(config.length === 0 ? {} : { other: Object.fromEntries(config) }),
  };
}
