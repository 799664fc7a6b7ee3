import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { EmbeddedGateway } from '../../../../electron/app/servers-composition.ts';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import { PictureThread } from '../../../../electron/platform/pictures/picture-thread.ts';
import { createPictures } from '../../../../electron/platform/pictures/pictures.ts';
import {
  cryptoRandom,
  systemClock,
  systemWallClock,
} from '../../../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { chatSettings } from '../../../../shared/settings/assistant-settings.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

type Core = ReturnType<typeof coreWithFakes>;

/** Default options of a chat, spoken in the server's own voice. */
export const serverVoiceOptions = { ...chatSettings.initial, voice: 'none' };

const openCores: (() => Promise<void>)[] = [];

/** Ends every core that a test opened, and restores the date. Files that use `gatewayCore` call it after each test. */
export async function endCores(): Promise<void> {
  vi.useRealTimers();
  for (const end of openCores.splice(0)) await end();
}

/** Opens a core that talks to the embedded gateway. */
export function gatewayCore(folder: string, options: Partial<GatewayOptions> = {}): Core {
  const gateways = new Lifetime('gateways under test');
  const gateway = new EmbeddedGateway({
    clock: systemClock,
    wallClock: systemWallClock,
    random: cryptoRandom,
    pictures: createPictures(new PictureThread()),
    log: new FakeLog(),
    lifetime: gateways,
  });
  const core = coreWithFakes(folder, systemClock, {
    embeddedGateway: () => gateway.open(options),
  });
  openCores.push(
    () => core.lifetime.end(),
    () => gateways.end(),
  );
  return core;
}

/** A state folder for each test of a file. */
class GatewayWorld {
  folder = '';
  #core: Core | undefined;

  /** The core that was opened last. */
  get core(): Core {
    if (this.#core === undefined) throw new Error('no core was opened');
    return this.#core;
  }

  readonly open = (): Core => (this.#core = gatewayCore(this.folder));
}

/** Call it once per file, outside tests. */
export function gatewayWorld(): GatewayWorld {
  const world = new GatewayWorld();
  beforeEach(() => {
    world.folder = workFolder()('state');
  });
  afterEach(endCores);
  return world;
}

/** Sets the date this many days ahead, on a machine that starts Parley every few days. */
export function daysLater(folder: string, days: number): void {
  const now = Date.now() + days * 86_400_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  const seen = { version: 1, lastSeenAt: now - 86_400_000, days: days + 1, waitUntil: 2 };
  writeFileSync(`${folder}/retention.json`, JSON.stringify(seen));
}

/** A server of the user's own, at which nothing listens. */
export const ownServer = {
  name: 'Own',
  kind: 'local',
  url: 'ws://127.0.0.1:9',
  dialect: 'unified',
  headers: {},
  query: {},
} as const;

export const say = (text: string) => ({ parts: [{ type: 'text', text }] }) as const;

/** Allows for a busy machine. */
export const patience = { timeout: 20_000, interval: 20 };

/** Waits until this many chat answers are complete since the core was opened. */
export async function untilAnswered({ payloads }: Core, count = 1): Promise<void> {
  await vi.waitFor(() => {
    const answers = payloads('chatPatch').filter(
      (patch) => patch.kind === 'answer' && patch.state.kind === 'done',
    );
    expect(answers).toHaveLength(count);
  }, patience);
}
