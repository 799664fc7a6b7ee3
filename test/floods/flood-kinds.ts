import type { WebSocket } from 'ws';
import { scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';

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

/**
 * Accepts every client and answers the first append with the frames of `/<kind>/flood`, `/<kind>/tenth` (a tenth of the
 * flood) or `/<kind>/ordinary`, as fast as the client reads them. Then it ends the session. With `/<kind>/both`, the
 * first session gets the ordinary answer and later ones the flood.
 */
export async function openFloodServer(): Promise<ScriptedServer> {
  let sessions = 0;
  return scriptedServer({
    accepted: (socket, { url = '' }) => {
      const [, kind = '', size] = new URL(url, 'ws://localhost').pathname.split('/');
      const isFlood = size === 'flood' || (size === 'both' && sessions > 0);
      const frames = isFloodName(kind) ? selectFrames(kind, isFlood ? 'flood' : size) : [];
      let answered = false;
      socket.send(JSON.stringify({ type: 'session.queue_done' }));
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { readonly type: string };
        if (type === 'session.init') socket.send(JSON.stringify({ type: 'session.created' }));
        if (!type.startsWith('input') || answered) return;
        answered = true;
        sessions += 1;
        void sendAll(socket, frames);
      });
    },
  });
}

function selectFrames(kind: FloodName, size: string | undefined): readonly RepeatedFrame[] {
  const { flood, ordinary } = floodKinds[kind];
  if (size === 'flood') return flood;
  if (size !== 'tenth') return ordinary;
  return flood.map(({ frame, times }) => ({ frame, times: Math.ceil(times / 10) }));
}

/** Unsent bytes at which the server waits for the client. */
const maxUnsentBytes = 1024 * 1024;

async function sendAll(socket: WebSocket, frames: readonly RepeatedFrame[]): Promise<void> {
  for (const { frame, times } of frames) {
    const compress = frame.length > 2 ** 24;
    for (let count = 0; count < times; count += 1) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount < maxUnsentBytes) socket.send(frame, { compress });
      // `send` calls back when the client has read everything before it; polling would occupy a processor.
      else await new Promise((taken) => socket.send(frame, { compress }, taken));
    }
  }
  socket.send(JSON.stringify({ type: 'session.closed', reason: 'timeout' }));
  socket.close(1000);
}
