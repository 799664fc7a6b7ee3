import { loadDemoSpeech } from '../adapters/files/demo-speech.ts';
import type { WorkPart } from '../ports/machine-bench.ts';
import type { Outcome } from '../ports/outcome.ts';
import { recordingWork, visionWork } from './machine-bench/kept-work.ts';
import { soundWork } from './machine-bench/talk-work.ts';
import { resourcesFolder } from './resources-folder.ts';

/** What a talk asks of this machine, in parts that can be timed: without a core, a server or a sound card. */
export async function composeMachineBench(): Promise<Outcome<readonly WorkPart[]>> {
  const speech = await loadDemoSpeech(resourcesFolder('speech'));
  if (!speech.ok) return speech;
  const vision = await visionWork();
  if (!vision.ok) return vision;
  return { ok: true, value: [...soundWork(speech.value), vision.value, recordingWork] };
}
