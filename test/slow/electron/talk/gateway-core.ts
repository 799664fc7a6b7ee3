import { writeFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { EmbeddedGateway } from '../../../../electron/app/servers.ts';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import { PictureThread } from '../../../../electron/platform/pictures/picture-thread.ts';
import { createPictures } from '../../../../electron/platform/pictures/pictures.ts';
import {
  cryptoRandom,
  systemClock,
  systemWallClock,
} from '../../../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';

type Core = ReturnType<typeof coreWithFakes>;

const ends: (() => Promise<void>)[] = [];

/** Call this after each test: it ends every core that was opened. */
export async function endCores(): Promise<void> {
  vi.useRealTimers();
  for (const end of ends.splice(0)) await end();
}

/** Opens a core that talks to the embedded gateway or to a substitute for it. */
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
  ends.push(
    () => core.lifetime.end(),
    () => gateways.end(),
  );
  return core;
}

/** Simulates this many days on a machine that starts Parley every few days. */
export function daysLater(folder: string, days: number): void {
  const now = Date.now() + days * 86_400_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  const seen = { version: 1, lastSeenAt: now - 86_400_000, days: days + 1, waitUntil: 2 };
  writeFileSync(`${folder}/retention.json`, JSON.stringify(seen));
}

export const say = (text: string) => ({ parts: [{ type: 'text', text }] }) as const;

/** Allows for a busy machine. */
export const patience = { timeout: 20_000, interval: 20 };

export async function answered({ payloads: told }: Core, count = 1): Promise<void> {
  await vi.waitFor(() => {
    const ends = told('chatPatch').filter(
      (patch) => patch.kind === 'answer' && patch.state.kind === 'done',
    );
    expect(ends).toHaveLength(count);
  }, patience);
}
