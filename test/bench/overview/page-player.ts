import { type Browser, chromium } from '@playwright/test';
import { findChromium } from '../../../scripts/lib/test-tools.mjs';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { Child } from '../conversation/child.ts';
import type { GatewayMessage, GatewayPlan, SentOutput } from '../conversation/gateway.ts';
import { SoundTape } from '../conversation/sound-tape.ts';
import { recordFrom, type SoundProcess } from '../sound/sound-processes.ts';

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
export class PagePlayer {
  readonly monitor = new SoundTape(outputRate);
  readonly #server: SoundServer;
  readonly #gateway: Child<GatewayMessage>;
  readonly #recorder: SoundProcess;
  readonly #browser: Browser;
  readonly #speak: () => Promise<void>;

  private constructor(parts: {
    readonly server: SoundServer;
    readonly gateway: Child<GatewayMessage>;
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
    const gateway = new Child<GatewayMessage>('gateway.ts', [
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
