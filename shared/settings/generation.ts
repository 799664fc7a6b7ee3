import type { GenerationOptions } from '../protocol/client-ask.ts';
import { amount, flag, textLike, whole, wordOr } from './rule.ts';
import type { Rules } from './rule.ts';

type Known = Required<Omit<GenerationOptions, 'other' | 'listenTopK'>>;

/** How the model generates; every option of the wire has a value here, so that it can be shown. */
export type GenerationSettings = {
  readonly [Name in keyof Known]: Exclude<Known[Name], undefined>;
} & { readonly listenTopK: number | 'server' };

/** The words for these are the server's; which ones it knows nobody has written down. */
const serverWord = textLike(/^[a-z][a-z\d_]{0,29}$/, 'must be a word in small letters');

export const generationRules: Rules<GenerationSettings> = {
  lengthPenalty: amount(0.1, 5),
  temperature: amount(0, 2),
  topK: whole(1, 1000),
  topP: amount(0.01, 1),
  textRepetitionPenalty: amount(0.5, 2),
  listenProbScale: amount(0, 10),
  listenTopK: wordOr('server', whole(1, 1000)),
  maxNewSpeakTokensPerChunk: whole(1, 200),
  forceListenCount: whole(0, 100),
  generateAudio: flag,
  lsMode: serverWord,
  decodeMode: serverWord,
  ttsTemperature: amount(0, 2),
  ttsRepetitionPenalty: amount(0.5, 2),
  chunkMs: whole(250, 4000),
};

/**
 * What goes to the server: only what was changed, because a server's own defaults may be newer than
 * the ones known here.
 */
export function changedGeneration(
  chosen: GenerationSettings,
  defaults: GenerationSettings,
): GenerationOptions {
  const names = Object.keys(generationRules) as (keyof GenerationSettings)[];
  const changed = names.filter((name) => chosen[name] !== defaults[name]);
  return Object.fromEntries(changed.map((name) => [name, chosen[name]]));
}
