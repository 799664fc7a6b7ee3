import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Lifetime } from '../../shared/lifetime.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import { instant } from '../contract/sound/player.ts';
import { say } from '../contract/sound/run-tool.ts';
import { SoundServer } from '../contract/sound/sound-server.ts';
import { startWindowManager } from '../e2e/fixtures/window-manager.ts';
import { seeded } from '../fakes/seeded.ts';
import { ModuleProcess } from '../scenes/module-process.ts';
import { sentence } from '../scenes/talk-harness.ts';
import { RecoveryCheck } from './recovery-check.ts';
import { NetworkFaultProxy } from './network-fault-proxy.ts';
import type { TortureResult } from './run-torture.ts';
import { TorturedWindow, windowFaults, type WindowFaultTarget } from './tortured-window.ts';

interface WindowTortureOptions {
  readonly seed: number;
  readonly kills: number;
  readonly report: (line: string) => void;
}

const killsBetweenChecks = 10;
/** Long, because reconnects back off. */
const timeoutMs = 40_000;
const shownWithinMs = 15_000;
const storedWithinMs = 3000;

/** Injects one window fault after another into the built app during a talk with camera. */
export async function tortureWindow(options: WindowTortureOptions): Promise<TortureResult> {
  const { seed, kills, report } = options;
  report(`Seed ${seed}: again by npm run torture -- --window --seed ${seed} --kills ${kills}`);
  const wrong: string[] = [];
  const recentFaults: string[] = [];
  const fail = (sentence: string): void => {
    wrong.push(`${sentence} (after ${recentFaults.slice(-6).join(', ')})`);
  };
  const lifetime = new Lifetime('the torture of a window');
  const random = seeded(seed);
  try {
    const target = await open(lifetime, random, fail);
    const check = new RecoveryCheck({ ...target, disk: undefined }, fail);
    const order = windowFaults
      .map((fault) => ({ fault, place: random() }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ fault }) => fault);
    const killed = new Map<string, number>();
    for (let done = 0; done < kills && wrong.length === 0; done += 1) {
      await untilLive(target, fail);
      await wait(2000 * random());
      const fault = order[done % order.length];
      if (fault === undefined || wrong.length > 0) break;
      if (fault.needsAnswer === true) await untilAnswered(target, fail);
      recentFaults.push(fault.name);
      killed.set(fault.name, (killed.get(fault.name) ?? 0) + 1);
      await fault.inject(target);
      if (fault.message !== undefined) await untilShown(target, fail, fault.message);
      const view = await target.parley.view();
      if (fault.mayEnd !== true && view !== undefined && !isRunning(view))
        fail(`the talk has ended: ${JSON.stringify(view.state)}`);
      if ((done + 1) % killsBetweenChecks === 0) await check.run();
    }
    if (wrong.length === 0) await check.run();
    const all = [...killed].map(([name, count]) => `${count} ${name}`).join(', ');
    const faults = recentFaults.length;
    report(`${faults} killed: ${all}; ${check.checks} checks (${check.answered} answered)`);
    report(`${check.entries} entries stored`);
    return { faults, checks: check.checks, wrong };
  } finally {
    await lifetime.end();
  }
}

async function open(
  lifetime: Lifetime,
  random: () => number,
  fail: (sentence: string) => void,
): Promise<WindowFaultTarget> {
  const sound = new SoundServer('short');
  lifetime.add(() => sound.end(), 'the sound server');
  await sound.start();
  lifetime.add(useSound(sound), 'the use of its own sound server');
  await startWindowManager(lifetime);
  const gateway = new ModuleProcess('./gateway-process.ts', [
    JSON.stringify({ dialect: 'unified' }),
  ]);
  lifetime.add(() => gateway.kill(), 'the gateway');
  const line = new NetworkFaultProxy(random);
  const url = await line.open();
  lifetime.add(() => line.end(), 'the line');
  const [message] = (await once(gateway.process, 'message')) as [{ readonly url: string }];
  line.target = message.url;
  const parley = new TorturedWindow(fail);
  lifetime.add(() => parley.end(), 'the window');
  await parley.open();
  const server = {
    name: 'Torture',
    kind: 'local',
    url,
    dialect: 'unified',
    headers: {},
    query: {},
  };
  const { id } = (await parley.ask('putEndpoint', server)).value as { readonly id: string };
  await parley.ask('changeSettings', {
    endpoints: { chosen: id },
    privacy: { keepTalks: 'yes', keepTapes: true },
    talking: { longTalks: 'handOver', everywhere: true, globalKey: 'F8' },
  });
  return { parley, line, sound };
}

/** Sets the environment for child processes; the returned function restores it. */
function useSound({ environment }: SoundServer): () => void {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
  };
}

/** Page script that turns the camera on: after a page crash it waits for a click, as after any start. */
const cameraOn = `(() => {
  const button = [...document.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === 'Camera');
  if (button?.getAttribute('aria-pressed') === 'false') button.click();
  return button?.getAttribute('aria-pressed') === 'true' ? 'on' : 'off';
})()`;

type Fail = (sentence: string) => void;

async function untilLive({ parley }: WindowFaultTarget, fail: Fail): Promise<void> {
  const until = instant() + timeoutMs;
  while (instant() < until) {
    const view = await parley.view();
    if (view === undefined) return;
    if (view.state.phase === 'live' && (await parley.text(cameraOn)) === 'on') return;
    if (!isRunning(view)) {
      // A check's talk has no camera.
      const continues = view.state.phase === 'ended' && view.talk?.mode === 'video';
      if (continues) await parley.ask('continueTalk', { carry: 'transcript' });
      else await parley.ask('startTalk', { mode: 'video' });
    }
    await wait(300);
  }
  const { state } = (await parley.view()) ?? {};
  fail(`no talk with a camera: ${JSON.stringify(state)}, ${JSON.stringify(await parley.text())}`);
}

/** Speaks, waits for an answer, and leaves time to write the record. */
async function untilAnswered({ parley, sound }: WindowFaultTarget, fail: Fail): Promise<void> {
  const until = instant() + timeoutMs;
  await say(sentence('hear'), inputRate, sound.environment);
  while (instant() < until) {
    const view = await parley.view();
    if (view?.captions.some(({ heard }) => heard > 0) === true) {
      await wait(storedWithinMs);
      return;
    }
    await wait(100);
  }
  fail('a question is not answered');
}

async function untilShown(
  { parley }: WindowFaultTarget,
  fail: Fail,
  message: RegExp,
): Promise<void> {
  const until = instant() + shownWithinMs;
  let text = '';
  while (instant() < until) {
    text = await parley.text();
    if (message.test(text)) return;
    await wait(200);
  }
  fail(`the window does not show ${message.source}: ${text.slice(0, 200)}`);
}

function isRunning({ state }: TalkView): boolean {
  return state.phase !== 'ended' && state.phase !== 'idle';
}
