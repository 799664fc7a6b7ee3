import type { DemoClip, DemoSpeech } from '../../electron/gateway/gateway-options.ts';

const secondsPerWord = 0.4;
const rate = 24_000;

/** Short sentences under the ids of the demonstration's, with a constant signal as sound. */
export const fakeSpeech: DemoSpeech = {
  clips: [
    makeClip('hello', 'Hello, I am the demonstration.'),
    makeClip('hear', 'I can hear you.'),
    makeClip('sorry', 'Sorry, go on.'),
    makeClip('see', 'I can see your picture.'),
    makeClip('turns', 'Now it is my turn.'),
    makeClip('recorded', 'Everything I say was recorded.'),
    makeClip('loudness', 'I notice by loudness.'),
    makeClip('interrupt', 'You may interrupt me.'),
    makeClip('again', 'There you are again.'),
    makeClip('only', 'I am only a demonstration.'),
    makeClip('connect', 'Connect Parley to a real server.'),
    makeClip('written', 'My answer is written in the text.'),
  ],
};

function makeClip(id: string, text: string): DemoClip {
  const words = text.split(' ').map((word, at) => ({
    text: word,
    start: at * secondsPerWord,
    end: (at + 1) * secondsPerWord,
  }));
  return {
    id,
    text,
    words,
    audio: new Float32Array(words.length * secondsPerWord * rate).fill(0.1),
  };
}
