import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { raisePriority, raiseSessionPriority, priorityInWords, option } from './bench-helpers.ts';
import { decodeWav } from '../../shared/audio/wav.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { say } from '../contract/sound/run-tool.ts';
import { fakeCameraFlags } from '../e2e/fixtures/fake-camera.ts';
import { openIsolatedSoundServer } from '../e2e/fixtures/sound-card.ts';
import { startWindowManager } from '../e2e/fixtures/window-manager.ts';
import {
  click,
  openDrivenApp,
  prepareHomeWithServer,
  untilGone,
  untilShown,
  type DrivenApp,
} from './window/driven-app.ts';
import { readMemory, readProcesses, usedBetween } from './page/process-usage.ts';

const wanted = { cpuPercent: 12, memoryMb: 260 };
const settleMs = 4000;
/** Wait after speech and after each answer, so that the next measurement begins in silence. */
const answerWithinMs = 4000;
const cameraFramesPerSecond = 30;

/**
 * A talk with a local server in the real window, on a virtual card and screen. Prints the processor time of each part of
 * the app per phase, messages to the page, and memory. `--kind voice` or `camera`, `--seconds 10`, `--folder` of another build.
 */
export async function bench(): Promise<void> {
  raiseSessionPriority();
  raisePriority(process.pid);
  process.stdout.write(`${priorityInWords}.\n`);
  const only = option('--kind');
  const seconds = Number(option('--seconds') ?? 10);
  const card = await openIsolatedSoundServer();
  const lifetime = new Lifetime('a measured talk');
  try {
    await startWindowManager(lifetime);
    for (const kind of ['voice', 'camera'] as const)
      if (only === undefined || only === kind)
        await measureKind(lifetime, seconds, kind, option('--folder'));
  } finally {
    await lifetime.end();
    await card.end();
  }
}

async function measureKind(
  around: Lifetime,
  seconds: number,
  kind: 'voice' | 'camera',
  /** The folder of another build to measure; the server is this build's. */
  folder?: string,
): Promise<void> {
  const lifetime = new Lifetime(`a talk by ${kind}`);
  around.add(() => lifetime.end());
  const home = await prepareHomeWithServer(lifetime);
  const app = await openDrivenApp(lifetime, {
    flags: fakeCameraFlags(cameraFramesPerSecond),
    home,
    app: folder,
  });
  const shares: number[] = [];
  const report = (line: string): void => void process.stdout.write(`${kind}, ${line}\n`);
  const used = async (name: string, phase: Promise<Phase>): Promise<void> => {
    shares.push(shareOf(await phase));
    report(inWords(name, await phase));
  };
  const account = accountOf(app);
  await delay(settleMs);
  if (kind === 'voice') await used('before a talk', account(delay(seconds * 1000)));
  await click(app, kind === 'voice' ? 'Start talking' : 'Start with the camera');
  await untilShown(app, 'Live');
  await delay(settleMs);
  await used('silence', account(delay(seconds * 1000)));
  await used('you speak', whileSpeaking(seconds, account));
  await used('Parley answers', whileAnswering(app, seconds));
  // The first answers run code that the JIT has not optimised yet.
  await used('later answers', whileAnswering(app, seconds));
  const talked = shares.slice(-4);
  report(`a talk, mean of these four: ${(sum(talked) / talked.length).toFixed(1)} % of a core`);
  report(`memory: ${memoryInWords(app)}`);
  await lifetime.end();
}

interface Phase {
  readonly ms: number;
  readonly used: ReadonlyMap<string, number>;
  readonly messages: number;
}

/** Observes the app until a promise settles. */
type Watch<Seen> = (lasts: Promise<void>) => Promise<Seen>;

const accountOf =
  ({ pid, ask }: DrivenApp): Watch<Phase> =>
  async (lasts) => {
    const messages = async (): Promise<number> => Number(await ask('messages'));
    const sent = await messages();
    const before = readProcesses(pid);
    const began = performance.now();
    await lasts;
    const used = usedBetween(before, readProcesses(pid));
    const ms = performance.now() - began;
    return { ms, used, messages: (await messages()) - sent };
  };

/** Speaks without pauses, so that no answer starts. */
async function whileSpeaking<Seen>(seconds: number, watch: Watch<Seen>): Promise<Seen> {
  const speech = await readSpeech();
  const samples = new Float32Array(speech.rate * (seconds + 2));
  for (let at = 0; at < samples.length; at += 1)
    samples[at] = speech.samples[at % speech.samples.length] ?? 0;
  const all = say(samples, speech.rate);
  await delay(1000);
  const seen = await watch(delay(seconds * 1000));
  await all;
  await delay(answerWithinMs);
  return seen;
}

/** Observes only playing answers, until their total reaches a number of seconds. */
async function whileAnswering(app: DrivenApp, seconds: number): Promise<Phase> {
  const phases: Phase[] = [];
  const time = (): number => sum(phases.map(({ ms }) => ms));
  while (time() < seconds * 1000) phases.push(await whileOneAnswer(app, accountOf(app)));
  const used = new Map<string, number>();
  for (const phase of phases)
    for (const [part, ms] of phase.used) used.set(part, (used.get(part) ?? 0) + ms);
  return { ms: time(), used, messages: sum(phases.map(({ messages }) => messages)) };
}

async function whileOneAnswer<Seen>(app: DrivenApp, watch: Watch<Seen>): Promise<Seen> {
  const { samples, rate } = await readSpeech();
  await say(samples, rate);
  await untilShown(app, 'Parley is speaking');
  const seen = await watch(untilGone(app, 'Parley is speaking'));
  await delay(answerWithinMs);
  return seen;
}

async function readSpeech(): Promise<{ readonly samples: Float32Array; readonly rate: number }> {
  const file = resolve(import.meta.dirname, '../../../resources/speech/hear.wav');
  const sound = decodeWav(new Uint8Array(await readFile(file)));
  if (!sound.ok) throw new Error(sound.error.code);
  return sound.value;
}

function inWords(name: string, { ms, used, messages }: Phase): string {
  const share = (of: number): string => ((of / ms) * 100).toFixed(1);
  const parts = [...used]
    .filter(([, part]) => part / ms > 0.001)
    .toSorted(([, one], [, other]) => other - one)
    .map(([part, of]) => `${part} ${share(of)}`);
  const all = shareOf({ ms, used });
  const met = all <= wanted.cpuPercent ? 'met' : 'NOT MET';
  return (
    `${name.padEnd(24)} ${all.toFixed(1).padStart(5)} % of a core (limit ${wanted.cpuPercent}: ${met}; ${parts.join(', ')}); ` +
    `${((messages / ms) * 1000).toFixed(1)} messages a second`
  );
}

const shareOf = ({ ms, used }: Pick<Phase, 'ms' | 'used'>): number =>
  (sum([...used.values()]) / ms) * 100;

function memoryInWords({ pid }: DrivenApp): string {
  const sizes = readMemory(pid);
  const all = sum([...sizes.values()]);
  const parts = [...sizes]
    .toSorted(([, one], [, other]) => other - one)
    .map(([part, size]) => `${part} ${size.toFixed(0)}`);
  return `${all.toFixed(0)} MB PSS (limit ${wanted.memoryMb}: ${all <= wanted.memoryMb ? 'met' : 'NOT MET'}; ${parts.join(', ')})`;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
