/**
 * Runs in the gallery's page: a live talk with 40 level notices and five caption notices per second, at `speed` times the
 * rate, for `forMs`, after a given number of earlier words.
 */
export interface Script {
  readonly wordsBehind: number;
  readonly forMs: number;
  readonly speed: number;
  /** Sends no notices, to measure the engine alone. */
  readonly silent?: boolean;
}

export interface Told {
  readonly frames: readonly number[];
  readonly words: number;
  readonly levels: number;
}

export async function tellTalk({ wordsBehind, forMs, speed, silent }: Script): Promise<Told> {
  const { gallery } = window;
  if (gallery === undefined) throw new Error('The gallery has not been started.');
  const turnOf = 20;
  let turn = 0;
  let said = 0;
  const say = (): void => {
    if (said % turnOf === 0) turn += 1;
    const added = `word${said} `;
    said += 1;
    gallery.emit({
      name: 'caption',
      payload: { turn, added, ...(said % turnOf === 0 ? { settled: true } : {}) },
    });
    // Playback follows the text with a delay.
    const heard = Math.max(0, ((said - 1) % turnOf) - 3) * 8;
    gallery.emit({ name: 'caption', payload: { turn, heard } });
  };
  await gallery.show('live-empty', 'light', 'en');
  gallery.startClock();
  for (let word = 0; word < wordsBehind; word += 1) say();
  await new Promise((rested) => setTimeout(rested, 1500));
  gallery.commits();

  const frames: number[] = [];
  const before = { words: said, levels: 0 };
  let levels = 0;
  const began = performance.now();
  let last = began;
  return new Promise((done) => {
    const frame = (at: number): void => {
      frames.push(at - last);
      last = at;
      const gone = performance.now() - began;
      if (silent !== true) {
        for (; said - before.words < (gone / 1000) * 5 * speed;) say();
        for (; levels < (gone / 1000) * 40 * speed; levels += 1) {
          const rmsDb = -34 + 18 * Math.sin(levels / 3);
          const who = levels % 2 === 0 ? 'you' : 'parley';
          gallery.emit({ name: 'level', payload: { who, rmsDb, peakDb: rmsDb + 9 } });
        }
      }
      if (frames.length % 600 === 0) gallery.commits();
      if (gone < forMs) requestAnimationFrame(frame);
      else done({ frames: frames.slice(2), words: said - before.words, levels });
    };
    requestAnimationFrame(frame);
  });
}
