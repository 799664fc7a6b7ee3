import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser } from '@playwright/test';
import { Stop } from '../../../scripts/lib/stop.mjs';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { queuedMs, type Command, type Reply } from '../sound/measured-sound.ts';
import { median } from '../../../shared/statistics.ts';
import type { Row } from './row.ts';
import { Rig } from '../conversation/rig.ts';
import type { GatewayPlan, GatewayMessage, SentOutput } from '../conversation/gateway.ts';
import { SoundTape } from '../conversation/sound-tape.ts';
import { findChromium } from '../../../scripts/lib/test-tools.mjs';
import { outputRate, inputRate } from '../../../shared/protocol/realtime-api.ts';
import { BenchProcess } from '../conversation/bench-process.ts';
import {
  recordFrom,
  type SoundProcess,
  type PlayingProcess,
  playInto,
} from '../sound/sound-processes.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Tone, ToneWatch } from '../sound/tone.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A measured process with a recorder at its speaker and a player at its microphone. */
class MeasuredProcess {
  readonly #which: string;
  readonly monitor = new ToneWatch();
  readonly #child: ChildProcess;
  readonly #server: SoundServer;
  readonly #processes: SoundProcess[] = [];
  #commands = 0;

  private constructor(which: string, server: SoundServer) {
    this.#which = which;
    this.#server = server;
    const { environment } = server;
    const words = [here('../sound/measured-sound.ts'), which];
    this.#child = fork(here('../../contract/sound/run-module.mjs'), words, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#processes.push(
      recordFrom('speaker.monitor', outputRate, environment, (block, at) => {
        this.monitor.push(block, at);
      }),
    );
  }

  static async open(which: string, server: SoundServer): Promise<MeasuredProcess> {
    const subject = new MeasuredProcess(which, server);
    await once(subject.#child, 'message');
    // The first sound on a virtual card may be more than a second late.
    await wait(3000);
    return subject;
  }

  async ask(what: Command['what']): Promise<Reply> {
    this.#commands += 1;
    const id = this.#commands;
    const patience = new AbortController();
    const { signal } = patience;
    const replied = new Promise<Reply>((resolve) => {
      const onReply = (reply: Reply): void => {
        if (reply.id !== id) return;
        this.#child.off('message', onReply);
        resolve(reply);
      };
      this.#child.on('message', onReply);
    });
    this.#child.send({ id, what } satisfies Command);
    const late = wait(10_000, undefined, { signal }).catch(() => undefined);
    const reply = await Promise.race([replied, late]);
    patience.abort();
    if (reply === undefined) throw new Error(`${this.#which} does not reply to ${what}.`);
    return reply;
  }

  microphone(latencyMs: number): PlayingProcess {
    return playInto('mic', inputRate, latencyMs, this.#server.environment);
  }

  end(): void {
    for (const one of this.#processes) one.end();
    this.#child.kill('SIGKILL');
  }
}

const rounds = 24;

/** Delays of a sound path in milliseconds, one value a round. */
interface Delays {
  readonly sounds: readonly number[];
  readonly silences: readonly number[];
  readonly blocks: readonly number[];
}

async function delaysOf(subject: MeasuredProcess): Promise<Delays> {
  const [sounds, silences]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    subject.monitor.reset();
    const played = await subject.ask('play');
    await wait(500 + round);
    const { began } = subject.monitor;
    const flushed = await subject.ask('flush');
    await wait(350);
    const { ended } = subject.monitor;
    if (began === undefined || ended === undefined) continue;
    sounds.push(began - played.at);
    silences.push(ended - flushed.at);
  }
  return { sounds, silences, ...(await microphoneDelays(subject)) };
}

async function microphoneDelays(subject: MeasuredProcess): Promise<Pick<Delays, 'blocks'>> {
  const microphone = subject.microphone(10);
  const blocks: number[] = [];
  const silence = new Float32Array(inputRate / 50);
  await microphone.play(new Float32Array(inputRate / 2));
  await wait(1500);
  for (let round = 0; round < rounds; round += 1) {
    await subject.ask('reset');
    const at = performance.timeOrigin + performance.now();
    await microphone.play(new Tone(inputRate).next(inputRate / 10));
    await microphone.play(silence);
    await wait(300 + round);
    const { began } = await subject.ask('began');
    if (began !== undefined) blocks.push(began - at);
  }
  microphone.end();
  return { blocks };
}

/** Measures the driver on a virtual card, compared with plain naudiodon with four queued blocks of 20 ms. */
export async function measureSound(): Promise<readonly Row[]> {
  const baseline = await plainDelays();
  const ours = await delaysAt('ours');
  const again = await plainDelays();
  const row = (id: string, what: string, of: (delays: Delays) => readonly number[]): Row => ({
    id,
    section: 'Sound',
    what,
    unit: 'ms',
    ours: median(of(ours)),
    beside: 'plain naudiodon',
    baseline: median(of(baseline)),
    again: median(of(again)),
  });
  return [
    row('sound.begin', 'from a write to its sound at the speaker', ({ sounds }) => sounds),
    row('sound.silence', 'from a stop to silence at the speaker', ({ silences }) => silences),
    row('sound.capture', 'from a sound at the microphone to its block', ({ blocks }) => blocks),
  ];
}

/** Stops the bench if the median delay is shorter than the queue, which cannot be real. */
async function plainDelays(): Promise<Delays> {
  const delays = await delaysAt('naudiodon');
  const found = median(delays.sounds);
  if (found < queuedMs)
    throw new Stop(
      `Plain naudiodon has ${queuedMs} ms queued but was heard after ${found.toFixed(1)} ms, so it is not a baseline.`,
      1,
    );
  return delays;
}

/** Measures each path on a separate sound server. */
async function delaysAt(which: 'ours' | 'naudiodon'): Promise<Delays> {
  const server = new SoundServer();
  await server.start();
  const subject = await MeasuredProcess.open(which, server);
  try {
    return await delaysOf(subject);
  } finally {
    subject.end();
    await server.end();
  }
}

const answers = 4;
/** Uncounted answers, from which Parley learns the server's pace; the page gets them too. */
const learning = 2;
const answerSeconds = 6;

interface Player {
  readonly monitor: SoundTape;
  readonly ask: () => Promise<{ readonly at: number }>;
  readonly end: () => Promise<void>;
}

interface Heard {
  readonly firstSound: number;
  readonly gaps: number;
}

/** The pace of the public server: a short first piece, then a second per second. */
const plan: GatewayPlan = {
  options: { faults: [{ kind: 'shortFirstChunk', ms: 600 }] },
  toneSeconds: answerSeconds,
};

/** Measures answers at the speaker, compared with a page that plays them by WebAudio with a delay of 200 ms. */
export async function measureConversation(): Promise<readonly Row[]> {
  const baseline = await listen(await PagePlayer.open(plan));
  const ours = await listen(await Rig.open({ ...plan, dialect: 'unified' }));
  const again = await listen(await PagePlayer.open(plan));
  const row = (id: string, what: string, of: (heard: Heard) => number): Row => ({
    id,
    section: 'Conversation',
    what,
    unit: 'ms',
    ours: of(ours),
    beside: 'a page in Chromium',
    baseline: of(baseline),
    again: of(again),
  });
  return [
    row('conversation.first', 'from the first delta to its sound', ({ firstSound }) => firstSound),
    row('conversation.gaps', `silence within an answer of ${answerSeconds} s`, ({ gaps }) => gaps),
  ];
}

async function listen(player: Player): Promise<Heard> {
  const [first, gaps]: [number[], number[]] = [[], []];
  try {
    await wait(2000);
    for (let answer = -learning; answer < answers; answer += 1) {
      const { at } = await player.ask();
      await wait((answerSeconds + 3) * 1000);
      const { monitor } = player;
      const from = monitor.sampleAt(at);
      const heard = monitor.firstLoud(from);
      if (heard === undefined) throw new Error('An answer was not heard at all.');
      if (answer < 0) continue;
      first.push(monitor.timeOf(heard) - at);
      gaps.push(monitor.gapsMs(from).reduce((sum, gap) => sum + gap, 0));
    }
  } finally {
    await player.end();
  }
  return { firstSound: median(first), gaps: median(gaps) };
}

/**
 * A simple web player: it schedules each piece after the previous, with a fixed initial delay. Instead of a microphone it
 * sends synthetic speech, because only playback is compared.
 */
const pageScript = String.raw`
  const delay = 0.2;
  const audio = new AudioContext({ sampleRate: 24000 });
  let next = 0;
  let speaks = false;
  globalThis.speak = () => { speaks = true; };
  const chunk = (loud) => {
    const bytes = new Uint8Array(Float32Array.from({ length: 16000 }, () => (Math.random() - 0.5) * (loud ? 0.5 : 0.002)).buffer);
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const quiet = chunk(false);
  const loud = chunk(true);
  const play = (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const samples = new Float32Array(bytes.buffer);
    const buffer = audio.createBuffer(1, samples.length, 24000);
    buffer.copyToChannel(samples, 0);
    const source = audio.createBufferSource();
    source.buffer = buffer;
    source.connect(audio.destination);
    const now = audio.currentTime;
    next = next < now ? now + delay : next;
    source.start(next);
    next += buffer.duration;
  };
  globalThis.connect = (url) => {
    const socket = new WebSocket(url + '?mode=audio');
    socket.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.type === 'session.queue_done') socket.send('{"type":"session.init","payload":{}}');
      if (event.type === 'session.created') setInterval(() => {
        socket.send(JSON.stringify({ type: 'input.append', input: { audio: speaks ? loud : quiet } }));
        speaks = false;
      }, 1000);
      if (typeof event.audio === 'string') play(event.audio);
    };
  };`;

/** Runs that page in the system's Chromium, with the same gateway and a separate virtual card. */
class PagePlayer {
  readonly monitor = new SoundTape(outputRate);
  readonly #server: SoundServer;
  readonly #gateway: BenchProcess<GatewayMessage>;
  readonly #recorder: SoundProcess;
  readonly #browser: Browser;
  readonly #speak: () => Promise<void>;

  private constructor(parts: {
    readonly server: SoundServer;
    readonly gateway: BenchProcess<GatewayMessage>;
    readonly browser: Browser;
    readonly speak: () => Promise<void>;
  }) {
    this.#server = parts.server;
    this.#gateway = parts.gateway;
    this.#browser = parts.browser;
    this.#speak = parts.speak;
    this.#recorder = recordFrom(
      'speaker.monitor',
      outputRate,
      parts.server.environment,
      (block, at) => {
        this.monitor.push(block, at);
      },
    );
  }

  static async open(plan: GatewayPlan): Promise<PagePlayer> {
    const found = findChromium();
    if ('reason' in found) throw new Error(`No browser to compare with: ${found.reason}`);
    const server = new SoundServer();
    await server.start();
    const gateway = new BenchProcess<GatewayMessage>('gateway.ts', [
      // A page without an origin sends `null`.
      JSON.stringify({ ...plan, allowedOrigins: ['null'] }),
    ]);
    const { url } = await gateway.until('ready');
    const browser = await chromium.launch({
      executablePath: found.executable,
      // Playwright mutes audio by default.
      ignoreDefaultArgs: ['--mute-audio'],
      args: [
        '--autoplay-policy=no-user-gesture-required',
        '--disable-background-networking',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
      env: { ...process.env, ...server.environment },
    });
    const page = await browser.newPage();
    await page.addScriptTag({ content: pageScript });
    await page.evaluate((url) => {
      (globalThis as unknown as { readonly connect: (url: string) => void }).connect(url);
    }, url);
    const speak = () =>
      page.evaluate(() => {
        (globalThis as unknown as { readonly speak: () => void }).speak();
      });
    return new PagePlayer({ server, gateway, browser, speak });
  }

  /** Speaks, and waits for the first output of the answer. */
  async ask(): Promise<SentOutput> {
    const output = this.#gateway.until('output');
    await this.#speak();
    return output;
  }

  async end(): Promise<void> {
    await this.#browser.close();
    this.#recorder.end();
    this.#gateway.leave();
    await this.#gateway.end();
    await this.#server.end();
  }
}
