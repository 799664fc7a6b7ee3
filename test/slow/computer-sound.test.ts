import { expect, it } from 'vitest';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import type { HeardFilm } from '../contract/sound/hear-film.ts';
import { soundServerForEach } from '../contract/sound/server-for-each.ts';

const { server, run } = await soundServerForEach();

// Not in `npm test`: beside a load, breaks of the sound card leave some of Parley's voice.
it(
  'the model hears a film that another program plays, and Parley’s own voice at least 25 dB lower',
  { timeout: 90_000 },
  async () => {
    const speech = await loadDemoSpeech('resources/speech');
    const { clips } = speech.ok ? speech.value : { clips: [] };
    const half = Math.ceil(clips.length / 2);
    const [voice, film] = [clips.slice(0, half), clips.slice(half)].map((part, at) => {
      const sound = joinSamples(part.map(({ audio }) => audio));
      return server().file(`sound-${at}`, new Uint8Array(sound.buffer));
    });
    const { code, output, stderr } = await run('hear-film.ts', voice ?? '', film ?? '');
    expect(code, stderr).toBe(0);
    const heard = JSON.parse(output) as HeardFilm;
    process.stdout.write(
      `the computer’s sound: own voice ${heard.ownDb.toFixed(0)} dBFS, left of it ` +
        `${heard.ownLeftDb.toFixed(0)}; beside it a film, alike ${heard.likeFilm.toFixed(2)}\n`,
    );
    expect(heard.ownDb - heard.ownLeftDb).toBeGreaterThan(25);
    // Both voices are equally loud: with Parley's own in it, it is 0.87.
    expect(heard.likeFilm).toBeGreaterThan(0.95);
  },
);
