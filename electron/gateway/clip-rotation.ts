import type { DemoClip, DemoSpeech } from './gateway.ts';

// The ids are those of resources/speech/index.json.
const first = ['hello', 'hear'];
const later = [
  ['turns', 'recorded'],
  ['loudness', 'interrupt'],
  ['again', 'hear'],
  ['only', 'connect'],
];
const firstWithFrame = ['hello', 'see'];
const laterWithFrame = [
  ['see', 'turns'],
  ['see', 'recorded'],
  ['again', 'see', 'interrupt'],
  ['see', 'only', 'connect'],
];
const afterInterruption = ['sorry'];

export type ReplyKind = 'answer' | 'answerWithFrame' | 'interrupted';

/** Chooses what to say, in a fixed rotation so that two runs are alike. */
export interface ClipRotation {
  readonly next: (kind: ReplyKind) => readonly DemoClip[];
}

export function openClipRotation(speech: DemoSpeech): ClipRotation {
  let answers = 0;

  function answer(opening: readonly string[], others: readonly (readonly string[])[]) {
    const ids = answers === 0 ? opening : others[(answers - 1) % others.length];
    answers += 1;
    return clipsOf(speech, ids ?? []);
  }

  return {
    next: (kind) => {
      switch (kind) {
        case 'answer':
          return answer(first, later);
        case 'answerWithFrame':
          return answer(firstWithFrame, laterWithFrame);
        case 'interrupted':
          return clipsOf(speech, afterInterruption);
      }
    },
  };
}

/** The clips with these ids; where there is none of them, the first there is. */
function clipsOf(speech: DemoSpeech, ids: readonly string[]): readonly DemoClip[] {
  const clips = ids
    .map((id) => speech.clips.find((clip) => clip.id === id))
    .filter((clip) => clip !== undefined);
  return clips.length > 0 ? clips : speech.clips.slice(0, 1);
}
