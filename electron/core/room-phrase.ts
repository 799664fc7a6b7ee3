import { failure } from '../../shared/errors/app-error.ts';
import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import { loadDemoSpeech } from '../adapters/files/demo-speech.ts';
import type { Outcome } from '../ports/outcome.ts';
import { resourcesFolder } from './resources-folder.ts';

/** Six seconds of ordinary speech: enough to learn a room in one second and to judge it in the rest. */
const sentences = ['turns', 'hear'];
const pauseSamples = outputRate / 4;

/** What is played to try a room: the demonstration's voice, at the rate of answers. */
export async function loadRoomPhrase(): Promise<Outcome<Float32Array>> {
  const folder = resourcesFolder('speech');
  const speech = await loadDemoSpeech(folder);
  if (!speech.ok) return speech;
  const clips = speech.value.clips.filter(({ id }) => sentences.includes(id));
  if (clips.length !== sentences.length)
    return failure('demonstrationBroken', {}, { detail: folder });
  const length = clips.reduce((sum, { audio }) => sum + audio.length + pauseSamples, 0);
  const phrase = new Float32Array(length - pauseSamples);
  let at = 0;
  for (const { audio } of clips) {
    phrase.set(audio, at);
    at += audio.length + pauseSamples;
  }
  return { ok: true, value: phrase };
}
