import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { GatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { makeFrames } from '../bench/conversation/camera-frames.ts';
import { missingSoundServer, SoundServer } from '../contract/sound/sound-server.ts';
import { ModuleProcess } from '../scenes/module-process.ts';
import { growingNames, describeGrowth, type Mark, moreRounds } from './count-heap.ts';
import type { TalkKind, TalkPlan, LeakReport } from '../leaks/talking-process.ts';

const missing = await missingSoundServer();
/** Each kind of talk, and the options of its gateway in another process. Without options it uses the embedded gateway. */
const talkKinds: readonly (readonly [TalkKind, Partial<GatewayOptions>?])[] = [
  [{ name: 'voice, answered', mode: 'audio', ends: 'byUser' }],
  [{ name: 'video, answered, over a network', mode: 'video', ends: 'byUser' }, {}],
  [{ name: 'voice, left at once', mode: 'audio', ends: 'byUserUnanswered' }],
  [
    { name: 'video, never begun', mode: 'video', ends: 'beforeLive' },
    { faults: [{ kind: 'neverCreated' }] },
  ],
  [
    { name: 'voice, ended by the server', mode: 'audio', ends: 'byServer' },
    { sessionSeconds: { audio: 3, video: 3 } },
  ],
  [
    { name: 'video, with a lost connection', mode: 'video', ends: 'whileReconnecting' },
    { faults: [{ kind: 'drop', atStep: 2 }] },
  ],
];
const kinds = talkKinds.map(([kind]) => kind);
/** The number of talks before the last of three counts; `PARLEY_LEAK_TALKS=50` runs more. */
const talks = Number(process.env['PARLEY_LEAK_TALKS'] ?? 18);
const last = Math.max(3, Math.ceil(talks / kinds.length));
const marks = [1, 2, 3].map((third) => Math.ceil((third * last) / 3));

it(
  `${last * kinds.length} talks leak only the planted objects`,
  { timeout: 120_000 + (talks + moreRounds * kinds.length) * 15_000 },
  async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const sound = new SoundServer('short');
    const folder = mkdtempSync(join(tmpdir(), 'parley-leaks-'));
    const gateways: ModuleProcess[] = [];
    try {
      await sound.start();
      const frames = join(folder, 'frames');
      await makeFrames(frames);
      const plan: TalkPlan = {
        kinds,
        urls: await Promise.all(
          talkKinds.map(async ([, served]) => {
            if (served === undefined) return null;
            const gateway = new ModuleProcess('./gateway-process.ts', [JSON.stringify(served)]);
            gateways.push(gateway);
            const [{ url }] = (await once(gateway.process, 'message')) as [{ url: string }];
            return url;
          }),
        ),
        marks,
        picture: join(frames, '0.jpg'),
      };
      const { found, wrong, stderr } = await talkAll(plan, {
        ...sound.environment,
        PARLEY_STATE_DIR: join(folder, 'state'),
      });
      expect(wrong, stderr).toEqual([]);
      expect(found.length).toBeGreaterThanOrEqual(marks.length);
      const names = growingNames(found);
      expect(names, names.map((name) => describeGrowth(found, name)).join('\n')).toEqual([
        'closure plantedListener',
        'object PlantedSession',
      ]);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await sound.end();
      rmSync(folder, { recursive: true });
    }
  },
);

async function talkAll(plan: TalkPlan, environment: Readonly<Record<string, string>>) {
  const child = new ModuleProcess(
    '../leaks/talking-process.ts',
    [JSON.stringify(plan)],
    environment,
  );
  const found: Mark[] = [];
  const wrong: string[] = [];
  child.process.on('message', (report: LeakReport) => {
    if ('wrong' in report) wrong.push(report.wrong);
    else found.push(report.mark);
  });
  try {
    await once(child.process, 'exit');
  } finally {
    await child.kill();
  }
  return { found, wrong, stderr: child.stderr };
}
