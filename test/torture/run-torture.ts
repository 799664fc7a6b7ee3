import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { GatewayOptions } from '../../electron/gateway/gateway-options.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { instant } from '../contract/sound/player.ts';
import { SoundServer } from '../contract/sound/sound-server.ts';
import { seeded } from '../fakes/seeded.ts';
import { ModuleProcess } from '../scenes/module-process.ts';
import { RecoveryCheck, findWrongTapes } from './recovery-check.ts';
import { NetworkFaultProxy } from './network-fault-proxy.ts';
import {
  faults,
  setCalendar,
  FillableDisk,
  SettableClock,
  type FaultInjectionTarget,
} from './faults.ts';
import { TorturedParley } from './tortured-parley.ts';

interface TortureOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly say: (line: string) => void;
}

export interface TortureResult {
  readonly faults: number;
  readonly checks: number;
  readonly wrong: readonly string[];
}

const betweenMs = 250;
const faultsBetweenChecks = 25;

interface TorturedServer {
  readonly name: string;
  readonly dialect: DialectName;
  readonly options: Partial<GatewayOptions>;
}

const servers: readonly TorturedServer[] = [
  { name: 'unified', dialect: 'unified', options: {} },
  {
    name: 'C++ server',
    dialect: 'unified',
    options: {
      profile: 'llama-omni',
      faults: [
        { kind: 'lateSound', ms: 700, jitterMs: 500 },
        { kind: 'lostListens', share: 0.3 },
      ],
    },
  },
  { name: 'legacy', dialect: 'legacy', options: {} },
];

/** Spends an equal share of the time with each server, and reports each problem together with the faults before it. */
export async function runTorture({ seed, minutes, say }: TortureOptions): Promise<TortureResult> {
  say(`Seed ${seed}: again by npm run torture -- --seed ${seed} --minutes ${minutes}`);
  const results: TortureResult[] = [];
  for (const [nr, server] of servers.entries())
    results.push(
      await tortureWith(server, { seed: seed + nr, minutes: minutes / servers.length, say }),
    );
  return {
    faults: results.reduce((sum, each) => sum + each.faults, 0),
    checks: results.reduce((sum, each) => sum + each.checks, 0),
    wrong: results.flatMap((each) => each.wrong),
  };
}

async function tortureWith(
  { name, dialect, options }: TorturedServer,
  { seed, minutes, say }: TortureOptions,
): Promise<TortureResult> {
  const random = seeded(seed);
  const counts = new Map<string, number>();
  const recentFaults: string[] = [];
  const wrong: string[] = [];
  const fail = (sentence: string): void => {
    wrong.push(`${name}: ${sentence} (after ${recentFaults.slice(-12).join(', ')})`);
  };
  const gateway = new ModuleProcess('./gateway-process.ts', [
    JSON.stringify({ dialect, ...options }),
  ]);
  const line = new NetworkFaultProxy(random);
  const sound = new SoundServer('short');
  const disk = new FillableDisk(96);
  const calendar = new SettableClock();
  const begunAt = instant();
  const parley = new TorturedParley({
    url: await line.open(),
    dialect,
    environment: {
      ...sound.environment,
      ...calendar.environment,
      PARLEY_STATE_DIR: disk.folder,
    },
    fail,
  });
  const target: FaultInjectionTarget = {
    parley,
    line,
    sound,
    disk: disk.canBeFull ? disk : undefined,
    calendar,
    random,
  };
  if (!disk.canBeFull) say('No test disk can be mounted here, so no fault fills it.');
  if (calendar.missing !== undefined) say(calendar.missing);
  const check = new RecoveryCheck(
    {
      ...target,
      ...(calendar.missing === undefined && {
        setCalendar: () => {
          setCalendar(target);
        },
      }),
    },
    fail,
  );
  let injected = 0;
  try {
    await sound.start();
    const [message] = (await once(gateway.process, 'message')) as [{ readonly url: string }];
    line.target = message.url;
    await parley.begin();
    await parley.ask('change', {
      privacy: { keepTalks: 'yes', keepChats: true, keepTapes: true },
      talking: { longTalks: 'handOver' },
    });
    await check.run();
    const until = instant() + minutes * 60_000;
    while (instant() < until && wrong.length === 0) {
      const [fault, , inject] = pick(random);
      recentFaults.push(fault);
      counts.set(fault, (counts.get(fault) ?? 0) + 1);
      injected += 1;
      await inject(target);
      await wait(betweenMs * random());
      if (injected % faultsBetweenChecks === 0) await check.run();
    }
    if (wrong.length === 0) await check.run();
  } finally {
    const went = await parley.quit();
    if (!went) fail('Parley does not quit on request');
    for (const tape of findWrongTapes(join(disk.folder, 'tapes'), instant() - begunAt)) fail(tape);
    await gateway.kill();
    await line.end();
    await sound.end();
    if (wrong.length > 0) say(`Its state folder is copied to ${disk.copy()}.`);
    disk.end();
    calendar.end();
  }
  const all = [...counts].map(([fault, count]) => `${count} ${fault}`).join(', ');
  say(
    `${name}: ${injected} faults, ${check.checks} checks (${check.answered} answered), ` +
      `${check.entries} entries stored, ${parley.errorsShown} errors shown, ${line.mutated} frames changed, ` +
      `latest heartbeat ${Math.round(parley.worstHangMs)} ms; ${all}`,
  );
  return { faults: injected, checks: check.checks, wrong };
}

const totalWeight = faults.reduce((sum, [, weight]) => sum + weight, 0);

function pick(random: () => number): (typeof faults)[number] {
  let place = random() * totalWeight;
  const found = faults.find(([, weight]) => (place -= weight) < 0);
  if (found === undefined) throw new Error('there is no fault to pick');
  return found;
}
