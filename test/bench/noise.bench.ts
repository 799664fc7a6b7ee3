import { parseArgs } from 'node:util';
import { benchNoise, writeScenes } from './recordings/bench-noise.ts';

const usage = `npm run bench -- noise --recordings DIR [--voices N] [--json FILE] [--others NAME=OUT]… [--other-levels NAME=OUT]…
npm run bench -- noise --recordings DIR [--voices N] --scenes FOLDER
  DIR     speech/*.wav and noise/{animals,things,music}/*.wav
  FOLDER  where the scenes are written, for something else to hear: OUT/NAME.wav is what it makes of FOLDER/NAME.wav`;

/** The product's noise reduction and level control on recordings of speech and noise, compared with other processors. */
export function bench(): void {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      recordings: { type: 'string' },
      scenes: { type: 'string' },
      others: { type: 'string', multiple: true, default: [] },
      'other-levels': { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      voices: { type: 'string' },
    },
  });
  const { recordings, scenes, others, json } = values;
  if (recordings === undefined) throw new Error(`Usage: ${usage}`);
  const voices = values.voices === undefined ? undefined : Number(values.voices);
  if (scenes !== undefined) writeScenes(recordings, scenes, voices);
  else benchNoise({ recordings, voices, json, others, otherLevels: values['other-levels'] });
}
