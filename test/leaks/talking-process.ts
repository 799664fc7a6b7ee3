// A child process: runs Parley as the browser host composes it, holds talk after talk, and counts what remains.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openParley, type Parley } from '../../electron/app/parley.ts';
import { OpenPage } from '../../shared/ipc/page.ts';
import { observeLifetimes } from '../../shared/lifetime.ts';
import { type DuplexMode, inputRate } from '../../shared/protocol/realtime-api.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import { say } from '../contract/sound/run-tool.ts';
import { sentence } from '../scenes/talk-harness.ts';
import { countHeap, type Counts, growingNames, type Mark, moreRounds } from './count-heap.ts';

/** The course of a talk, and how it ends. */
export interface TalkKind {
  readonly name: string;
  readonly mode: DuplexMode;
  readonly ends: 'byUser' | 'byUserUnanswered' | 'beforeLive' | 'byServer' | 'whileReconnecting';
}

export interface TalkPlan {
  readonly kinds: readonly TalkKind[];
  /** The server's URL per kind; null for the embedded gateway. */
  readonly urls: readonly (string | null)[];
  /** The rounds after which objects are counted. A round is one talk of each kind. */
  readonly marks: readonly number[];
  readonly picture: string;
}

export type LeakReport = { readonly mark: Mark } | { readonly wrong: string };

const patienceMs = 30_000;
/** After this time, background work of a talk is done: its tape is closed, and the lists are updated. */
const settleMs = 3000;

const report = (message: LeakReport): void => void process.send?.(message);

/** Leaked on purpose once a round, to prove that the check works. */
class PlantedSession {
  readonly open = true;
}
const planted: unknown[] = [];

export async function run(planJson: string): Promise<void> {
  const plan = JSON.parse(planJson) as TalkPlan;
  const lifetimes = countLifetimes();
  const parley = openParley('browser', 'leaks');
  const picture = new Uint8Array(readFileSync(plan.picture));
  parley.servers.settings.change({
    privacy: { keepTalks: 'yes', keepTapes: true },
    talking: { longTalks: 'ask' },
  });
  const servers = await Promise.all(
    plan.kinds.map(({ name }, at) => serverOf(parley, name, plan.urls[at])),
  );
  try {
    const planned = plan.marks.at(-1) ?? 0;
    const marks: Mark[] = [];
    // Short-lived data, such as recent loudspeaker sound, varies on a busy machine and may be higher at each mark by chance.
    // A leak keeps growing.
    const seemsToLeak = (round: number): boolean =>
      round <= planned + moreRounds && growingNames(marks).some((name) => !/planted/i.test(name));
    for (let round = 1; round <= planned || seemsToLeak(round); round += 1) {
      for (const [at, kind] of plan.kinds.entries()) {
        parley.servers.settings.change({ endpoints: { chosen: servers[at] ?? '' } });
        await talkOnce(parley, kind, picture);
      }
      planted.push(new PlantedSession());
      parley.machine.notices.listen(function plantedListener() {});
      if (round <= planned && !plan.marks.includes(round)) continue;
      await wait(settleMs);
      const counts = { ...(await countHeap()), ...countHandles(), ...lifetimes() };
      marks.push({ rounds: round, counts });
      report({ mark: { rounds: round, counts } });
    }
  } catch (error) {
    report({ wrong: String(error) });
  }
  await parley.lifetime.end();
  process.disconnect();
}

async function serverOf(
  parley: Parley,
  name: string,
  url: string | null | undefined,
): Promise<string> {
  if (typeof url !== 'string') return parley.servers.settings.get().endpoints.chosen;
  const draft = { name, kind: 'local', url, dialect: 'unified', headers: {}, query: {} } as const;
  const put = await parley.servers.endpoints.put(draft);
  if (!put.ok) throw new Error(put.error.code);
  return put.value.id;
}

/** Runs a talk for one page, which then disconnects. */
async function talkOnce(parley: Parley, kind: TalkKind, picture: Uint8Array): Promise<void> {
  const page = new OpenPage();
  const until = (what: string, isIt: (view: TalkView) => boolean): Promise<void> =>
    waitUntil(parley, `${kind.name}: ${what}`, isIt);
  await parley.answer('startTalk', { mode: kind.mode }, page);
  const phase =
    (...names: readonly string[]) =>
    ({ state }: TalkView): boolean =>
      names.includes(state.phase);
  if (kind.ends === 'beforeLive') await until('it connects', phase('connecting', 'queued'));
  else if (kind.ends === 'byServer') await until('the server ends it', phase('ended'));
  else if (kind.ends === 'whileReconnecting') await until('it is lost', phase('reconnecting'));
  else await until('it is live', phase('live'));
  if (kind.mode === 'video' && kind.ends === 'byUser') {
    parley.vision.framePipeline.setPermission({ open: 'camera' });
    await parley.vision.framePipeline.offer({ jpeg: new Uint8Array(picture) });
  }
  if (kind.ends === 'byUser') {
    await say(sentence('hear'), inputRate);
    await until('it is answered', ({ captions }) => captions.some(({ heard }) => heard > 0));
  }
  await parley.answer('endTalk', undefined, page);
  await until('it is over', phase('ended', 'idle'));
  parley.vision.framePipeline.setPermission({ open: 'nothing' });
  page.gone();
}

async function waitUntil(
  parley: Parley,
  what: string,
  isIt: (view: TalkView) => boolean,
): Promise<void> {
  const until = performance.now() + patienceMs;
  while (!isIt(parley.talk.controller.view)) {
    if (performance.now() > until)
      throw new Error(
        `Timed out waiting until ${what}: ${JSON.stringify(parley.talk.controller.view.state)}`,
      );
    await wait(30);
  }
}

/** Counts active resources, listeners, open files and threads. Runs on Linux only. */
function countHandles(): Counts {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) {
    const key = `handle ${name}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  for (const name of process.eventNames())
    counts[`listener ${String(name)}`] = process.listenerCount(name);
  counts['open files'] = readdirSync('/proc/self/fd').length;
  counts['threads'] = readdirSync('/proc/self/task').length;
  return counts;
}

/** Starts counting lifetimes that have begun and not ended, by name. */
function countLifetimes(): () => Counts {
  const counts: Record<string, number> = {};
  const change = (name: string, by: number): void => {
    const key = `lifetime ${name}`;
    counts[key] = (counts[key] ?? 0) + by;
  };
  observeLifetimes({
    onBegin: ({ name }) => {
      change(name, 1);
    },
    onEnd: ({ name }) => {
      change(name, -1);
    },
  });
  return () => ({ ...counts });
}
