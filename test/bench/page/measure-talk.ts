import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { Lifetime } from '../../../shared/lifetime.ts';
import { decodeWav } from '../../../shared/wav/decode-wav.ts';
import { say } from '../../contract/sound/say.ts';
import { fakeCameraFlags } from '../../e2e/fixtures/fake-camera.ts';
import { openIsolatedSoundServer } from '../../e2e/fixtures/isolated-sound-server.ts';
import { startWindowManager } from '../../e2e/fixtures/window-manager.ts';
import { openDrivenApp } from '../window/driven-app.ts';
import type { DrivenApp } from '../window/driven-app.ts';
import { click, untilShown } from '../window/driven-page.ts';
import { countFrames } from './frames-painted.ts';
import type { FrameRates } from './frames-painted.ts';
import { homeWithOwnServer } from './own-server.ts';
import { readMemory, readProcesses, usedBetween } from './process-account.ts';

const wanted = { cpuPercent: 12, memoryMb: 260, framesPerSecond: 20 };
const settleMs = 4000;
const tracedMs = 3000;
/** Whoever was asked has said it all by then. */
const answerWithinMs = 4000;
const cameraFramesPerSecond = 30;

/**
 * A talk with a server of this machine in the real window, on a card and a screen of its own: what each part of the app takes of
 * the processor in each phase, how often it paints, how many messages go to the page, and how large it is.
 */
export async function measureTalk(seconds: number, only?: string): Promise<readonly string[]> {
  const card = await openIsolatedSoundServer();
  const lifetime = new Lifetime('a measured talk');
  try {
    await startWindowManager(lifetime);
    for (const kind of ['voice', 'camera'] as const)
      if (only === undefined || only === kind) await measureKind(lifetime, seconds, kind);
  } finally {
    await lifetime.end();
    await card.end();
  }
  return [];
}

async function measureKind(
  around: Lifetime,
  seconds: number,
  kind: 'voice' | 'camera',
): Promise<void> {
  const lifetime = new Lifetime(`a talk by ${kind}`);
  around.add(() => lifetime.end());
  const home = await homeWithOwnServer(lifetime);
  const app = await openDrivenApp(lifetime, {
    flags: fakeCameraFlags(cameraFramesPerSecond),
    home,
  });
  const during = async (name: string, measure: () => Promise<Phase>): Promise<void> => {
    process.stdout.write(`${inWords(`${kind}, ${name}`, await measure())}\n`);
  };
  await rest(settleMs);
  if (kind === 'voice') await during('before a talk', () => throughout(app, seconds));
  await click(app, kind === 'voice' ? 'Start talking' : 'Start with the camera');
  await untilShown(app, 'Live');
  await rest(settleMs);
  await during('silence', () => throughout(app, seconds));
  await during('you speak', () => whileSpeaking(app, seconds));
  await during('Parley answers', () => whileAnswering(app, seconds));
  // The first answers since a start are heard by code that is still being made fast.
  await during('later answers', () => whileAnswering(app, seconds));
  process.stdout.write(`${kind}, memory: ${memoryInWords(app)}\n`);
  await app.ask('minimize');
  await rest(settleMs);
  await during('minimised, silence', () => throughout(app, seconds));
  await during('minimised, you speak', () => whileSpeaking(app, seconds));
  await app.ask('hide');
  await rest(settleMs);
  await during('hidden, silence', () => throughout(app, seconds));
  await lifetime.end();
}

interface Phase {
  readonly ms: number;
  readonly used: ReadonlyMap<string, number>;
  readonly messages: number;
  /** None where they were not counted. */
  readonly frames?: FrameRates | undefined;
}

type Account = () => Promise<Phase>;

/** Begins to count; what it returns says what there was since. */
async function begin({ pid, ask }: DrivenApp): Promise<Account> {
  const messages = async (): Promise<number> => Number(await ask('messages'));
  const sent = await messages();
  const before = readProcesses(pid);
  const began = performance.now();
  return async () => {
    const used = usedBetween(before, readProcesses(pid));
    const ms = performance.now() - began;
    return { ms, used, messages: (await messages()) - sent };
  };
}

async function throughout(app: DrivenApp, seconds: number): Promise<Phase> {
  const account = await begin(app);
  await rest(seconds * 1000);
  return { ...(await account()), frames: await countFrames(app, () => rest(tracedMs)) };
}

/** One sentence after the other, with no rest in which it would be answered. */
async function whileSpeaking(app: DrivenApp, seconds: number): Promise<Phase> {
  const speech = await readSpeech();
  const spoken = (forMs: number): Promise<void> => {
    const samples = new Float32Array((speech.rate * forMs) / 1000);
    for (let at = 0; at < samples.length; at += 1)
      samples[at] = speech.samples[at % speech.samples.length] ?? 0;
    return say(samples, speech.rate);
  };
  const all = spoken(seconds * 1000 + tracedMs + 2000);
  await rest(1000);
  const account = await begin(app);
  await rest(seconds * 1000);
  const phase = await account();
  const frames = await countFrames(app, () => rest(tracedMs));
  await all;
  await rest(answerWithinMs);
  return { ...phase, frames };
}

/** Answer after answer, each only while it is heard, until there were so many seconds of them. */
async function whileAnswering(app: DrivenApp, seconds: number): Promise<Phase> {
  const phases: Phase[] = [];
  const time = (): number => sum(phases.map(({ ms }) => ms));
  while (time() < seconds * 1000) phases.push(await whileOneAnswer(app));
  let frames: FrameRates | undefined;
  await whileOneAnswer(app, async (over) => {
    frames = await countFrames(app, () => over);
  });
  const used = new Map<string, number>();
  for (const phase of phases)
    for (const [part, ms] of phase.used) used.set(part, (used.get(part) ?? 0) + ms);
  return { ms: time(), used, messages: sum(phases.map(({ messages }) => messages)), frames };
}

async function whileOneAnswer(
  app: DrivenApp,
  meanwhile?: (over: Promise<void>) => Promise<void>,
): Promise<Phase> {
  const { samples, rate } = await readSpeech();
  await say(samples, rate);
  await untilShown(app, 'Parley is speaking');
  const account = await begin(app);
  // Asked for rarely: the question itself costs the page something.
  const over = untilShown(app, 'Parley is speaking', false, 500);
  await Promise.all([over, meanwhile?.(over)]);
  const phase = await account();
  await rest(answerWithinMs);
  return phase;
}

async function readSpeech(): Promise<{ readonly samples: Float32Array; readonly rate: number }> {
  const file = resolve(import.meta.dirname, '../../../resources/speech/hear.wav');
  const sound = decodeWav(new Uint8Array(await readFile(file)));
  if (!sound.ok) throw new Error(sound.error.code);
  return sound.value;
}

function inWords(name: string, { ms, used, messages, frames }: Phase): string {
  const share = (of: number): string => ((of / ms) * 100).toFixed(1);
  const parts = [...used]
    .filter(([, part]) => part / ms > 0.001)
    .toSorted(([, one], [, other]) => other - one)
    .map(([part, of]) => `${part} ${share(of)}`);
  const all = sum([...used.values()]);
  const met = (all / ms) * 100 <= wanted.cpuPercent ? 'met' : 'NOT MET';
  const rate = frames
    ? `${frames.painted.toFixed(1)} frames a second painted, ${frames.made.toFixed(1)} made`
    : '';
  return (
    `${name.padEnd(34)} ${share(all).padStart(5)} % of a core (at most ${wanted.cpuPercent}: ${met}; ${parts.join(', ')}); ` +
    `${rate}; ${((messages / ms) * 1000).toFixed(1)} messages a second`
  );
}

function memoryInWords({ pid }: DrivenApp): string {
  const sizes = readMemory(pid);
  const all = sum([...sizes.values()]);
  const parts = [...sizes]
    .toSorted(([, one], [, other]) => other - one)
    .map(([part, size]) => `${part} ${size.toFixed(0)}`);
  return `${all.toFixed(0)} MB PSS (at most ${wanted.memoryMb}: ${all <= wanted.memoryMb ? 'met' : 'NOT MET'}; ${parts.join(', ')})`;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
