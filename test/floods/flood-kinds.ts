/** A frame and how often the server sends it. */
export interface RepeatedFrame {
  readonly frame: string;
  readonly times: number;
}

interface FloodKind {
  readonly flood: readonly RepeatedFrame[];
  /** An ordinary answer with the same amount of text or sound. */
  readonly ordinary: readonly RepeatedFrame[];
}

const json = JSON.stringify;
const delta = { type: 'response.output.delta' };
const text = (said: string): string => json({ ...delta, kind: 'text', text: said });
const encode = (samples: number): string =>
  Buffer.from(new Float32Array(samples).fill(0.1).buffer).toString('base64');
const sound = (samples: number): string =>
  json({ ...delta, kind: 'audio', audio: encode(samples) });
const turn = (said: string, samples: number): string => {
  const audio = encode(samples);
  return json({ type: 'response.output_audio.delta', text: said, audio, end_of_turn: true });
};
const once = (frame: string): RepeatedFrame => ({ frame, times: 1 });

const tenSeconds = [
  { frame: text('word '), times: 30 },
  { frame: sound(24_000), times: 10 },
];

/** Each kind with an ordinary answer of the same size, or, if none may be so large, with ten seconds of speech. */
export const floodKinds = {
  words: {
    flood: [{ frame: text('a '), times: 100_000 }],
    ordinary: [{ frame: text('word '.repeat(200)), times: 200 }],
  },
  letters: {
    flood: [{ frame: text('a'), times: 50_000 }],
    ordinary: [{ frame: text('word '.repeat(200)), times: 50 }],
  },
  spaces: {
    flood: [once(text(' '.repeat(250_000))), { frame: text(' '), times: 10_000 }],
    ordinary: [{ frame: text('word '.repeat(200)), times: 260 }],
  },
  'megabyte-of-spaces': { flood: [once(text(' '.repeat(2 ** 20)))], ordinary: tenSeconds },
  list: {
    flood: [{ frame: text('- a\n'), times: 50_000 }],
    ordinary: [{ frame: text('word '.repeat(200)), times: 200 }],
  },
  headings: {
    flood: [{ frame: text('a\n=\n'), times: 50_000 }],
    ordinary: [{ frame: text('word '.repeat(200)), times: 200 }],
  },
  marks: {
    flood: [{ frame: text('**a _b_ [c](d) `e` ~~f~~ <g> | *h\n> - i\n\n'), times: 1500 }],
    ordinary: [{ frame: text('word '.repeat(200)), times: 64 }],
  },
  samples: {
    flood: [{ frame: sound(1), times: 100_000 }],
    ordinary: [{ frame: sound(20_000), times: 5 }],
  },
  turns: {
    flood: [{ frame: turn('a ', 1), times: 100_000 }],
    ordinary: [
      { frame: text('word '.repeat(200)), times: 200 },
      { frame: sound(20_000), times: 5 },
    ],
  },
  hour: { flood: [{ frame: sound(24_000), times: 3600 }], ordinary: tenSeconds },
  /** 6 MiB is the largest frame of a talk, 16 MiB the largest speech of a written answer. */
  'largest-frames': { flood: [{ frame: sound(1_170_000), times: 6 }], ordinary: tenSeconds },
  'largest-speech': { flood: [{ frame: sound(3_000_000), times: 2 }], ordinary: tenSeconds },
  bomb: { flood: [once(text(' '.repeat(100 * 2 ** 20)))], ordinary: tenSeconds },
  errors: {
    flood: [
      { frame: json({ type: 'error', error: { code: 'odd', message: 'no' } }), times: 100_000 },
    ],
    ordinary: tenSeconds,
  },
  deep: {
    flood: [{ frame: `{"type":"x","x":${'['.repeat(2 ** 20)}${']'.repeat(2 ** 20)}}`, times: 20 }],
    ordinary: tenSeconds,
  },
} as const satisfies Readonly<Record<string, FloodKind>>;

export type FloodName = keyof typeof floodKinds;

export function isFloodName(name: string): name is FloodName {
  return Object.hasOwn(floodKinds, name);
}
