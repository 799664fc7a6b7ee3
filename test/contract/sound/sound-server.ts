import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { runTool } from './run-tool.ts';

/** On a busy machine a start takes many times the usual half second. */
const startsWithinMs = 30_000;
const maxStarts = 3;

/** Disconnects the sound server from the session bus: if another sound server uses the same bus, PulseAudio ends. */
const alone = { DBUS_SESSION_BUS_ADDRESS: 'disabled:' };

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

const howEnded = ({ exitCode, signalCode }: ChildProcess): string =>
  `ended with ${exitCode ?? signalCode}`;

/**
 * A private PulseAudio, which a test may kill. Its sinks take two seconds of sound at a time, so sound is heard and
 * captured that much later. With `ahead` as `short` they take 50 ms, like a real card.
 */
export class SoundServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-sound-'));
  readonly #ahead: 'long' | 'short';
  #daemon: ChildProcess | undefined;

  constructor(ahead: 'long' | 'short' = 'long') {
    this.#ahead = ahead;
    writeFileSync(join(this.#folder, 'asound.conf'), alsaConfiguration);
  }

  /** Environment variables for a process that uses it; PortAudio’s ALSA backend reads them at its start. */
  get environment(): Readonly<Record<string, string>> {
    return {
      PULSE_SERVER: `unix:${this.#folder}/native`,
      PULSE_RUNTIME_PATH: this.#folder,
      PULSE_STATE_PATH: this.#folder,
      ALSA_CONFIG_PATH: join(this.#folder, 'asound.conf'),
    };
  }

  get pid(): number | undefined {
    return this.#daemon?.pid;
  }

  async start(): Promise<void> {
    const script = join(this.#folder, 'daemon.pa');
    writeFileSync(script, daemonScript(this.#folder, this.#ahead === 'short'));
    rmSync(join(this.#folder, 'native'), { force: true });
    // Preloads of a test’s programs must not affect the server.
    const {
      PULSE_SERVER: _,
      LD_PRELOAD: _under,
      ...env
    } = {
      ...process.env,
      ...this.environment,
    };
    const ended: string[] = [];
    let daemon: ChildProcess | undefined;
    const until = performance.now() + startsWithinMs;
    while (performance.now() < until) {
      // Restarts a server that could not start, such as for lack of memory.
      if (daemon === undefined || !isRunning(daemon)) {
        if (daemon !== undefined) ended.push(howEnded(daemon));
        if (ended.length === maxStarts) break;
        daemon = spawn(
          'pulseaudio',
          ['-n', '-F', script, '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1'],
          { env: { ...env, ...alone, XDG_RUNTIME_DIR: this.#folder }, stdio: 'ignore' },
        );
        this.#daemon = daemon;
      }
      if (existsSync(join(this.#folder, 'native')) && (await this.#answers())) return;
      await wait(50);
    }
    const how = ended.length > 0 ? `it ${ended.join(', ')}` : `not within ${startsWithinMs} ms`;
    throw new Error(`The sound server does not start: ${how}.`);
  }

  /** Stops it with its connections open, until it is thawed. */
  freeze(): void {
    this.#daemon?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#daemon?.kill('SIGCONT');
  }

  /** Adds a speaker under a new name. */
  async plugIn(name: string): Promise<void> {
    const words = ['load-module', 'module-null-sink', `sink_name=${name}`, 'rate=48000'];
    const { code } = await runTool('pactl', words, this.environment);
    if (code !== 0) throw new Error('The sound server takes no new speaker.');
    this.configure(`pcm.${name} { type pulse device ${name} }\n`);
  }

  /** Captures exactly what is played. */
  async loopBack(): Promise<void> {
    const words = ['set-default-source', 'speaker.monitor'];
    const { code } = await runTool('pactl', words, this.environment);
    if (code !== 0) throw new Error('The sound server does not loop back.');
  }

  /** Simulates a room: playback reaches the microphone at half the level, mixed with speech. */
  async openRoom(): Promise<void> {
    const module = ['load-module', 'module-loopback', 'source=speaker.monitor', 'sink=mic'];
    const loaded = await runTool(
      'pactl',
      [...module, 'latency_msec=40', 'adjust_time=0'],
      this.environment,
    );
    const list = await runTool('pactl', ['list', 'short', 'sink-inputs'], this.environment);
    const input = /^(\d+)\t.*module-loopback/mu.exec(list.output)?.[1] ?? '';
    const softer = await runTool(
      'pactl',
      ['set-sink-input-volume', input, '-6dB'],
      this.environment,
    );
    if (loaded.code !== 0 || softer.code !== 0) throw new Error('The sound server makes no room.');
  }

  /** Numbers of playing and of capturing streams. */
  async streams(): Promise<readonly [playing: number, listening: number]> {
    const count = async (what: string): Promise<number> => {
      const { output } = await runTool('pactl', ['list', 'short', what], this.environment);
      return output.split('\tprotocol-native.c').length - 1;
    };
    return [await count('sink-inputs'), await count('source-outputs')];
  }

  /** Adds lines to ALSA’s configuration, which PortAudio reads whenever it starts. */
  configure(lines: string): void {
    appendFileSync(join(this.#folder, 'asound.conf'), lines);
  }

  file(name: string, bytes: Uint8Array): string {
    const path = join(this.#folder, name);
    writeFileSync(path, bytes);
    return path;
  }

  /** Kills it, like a crash. */
  async kill(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = undefined;
    if (daemon === undefined || daemon.exitCode !== null) return;
    const gone = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill('SIGKILL');
    await gone;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    const { code } = await runTool('pactl', ['info'], this.environment);
    return code === 0;
  }
}

const alsaConfiguration = 'pcm.default { type pulse }\nctl.default { type pulse }\n';

function daemonScript(folder: string, short: boolean): string {
  const sink = `rate=48000 channels=2${short ? ' norewinds=1' : ''}`;
  return [
    `load-module module-native-protocol-unix socket=${folder}/native auth-anonymous=1`,
    `load-module module-null-sink sink_name=speaker ${sink}`,
    `load-module module-null-sink sink_name=mic ${sink}`,
    'load-module module-remap-source source_name=micsrc master=mic.monitor',
    'set-default-sink speaker',
    'set-default-source micsrc',
    '',
  ].join('\n');
}

/** The reason why no sound server can run here. */
export async function missingSoundServer(): Promise<string | undefined> {
  for (const tool of ['pulseaudio', 'pactl']) {
    const { code } = await runTool(tool, ['--version']);
    if (code !== 0) return `${tool} is not installed`;
  }
  return undefined;
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A sound server for each test of a file, which is skipped with a reason where none can run. */
interface ServerForEach {
  readonly server: () => SoundServer;
  /** Runs a module of this folder in a process that uses the server. */
  readonly run: (module: string, ...words: readonly string[]) => ReturnType<typeof runTool>;
}

export async function soundServerForEach(
  prepare: (server: SoundServer) => Promise<void> | void = () => undefined,
): Promise<ServerForEach> {
  const missing = await missingSoundServer();
  let server: SoundServer | undefined;

  beforeEach(async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    server = new SoundServer('short');
    await server.start();
    await prepare(server);
  });

  afterEach(async () => {
    await server?.end();
    server = undefined;
  });

  const current = (): SoundServer => {
    if (server === undefined) throw new Error('There is a sound server in a test only.');
    return server;
  };
  return {
    server: current,
    run: (module, ...words) =>
      runTool(
        process.execPath,
        [here('run-module.mjs'), here(module), ...words],
        current().environment,
      ),
  };
}
