import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { openModelServer, openModelServers } from '../../electron/app/model-server.ts';
import type { ModelSupervisor } from '../../electron/model/model-supervisor.ts';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { eventually } from '../fakes/eventually.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fillModelFolder, installStandIn } from '../llama-omni/install-stand-in.ts';
import type { StandInFaults } from '../llama-omni/stand-in-faults.ts';

export interface Lock {
  readonly leader: { readonly pid: number; readonly startedAt: string };
  readonly temporary: string;
}

export function readLock(folder: string, name = 'model-server'): Lock {
  return JSON.parse(readFileSync(join(folder, `${name}.lock`), 'utf8')) as Lock;
}

export function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

export async function isGone(pid: number): Promise<void> {
  await eventually(() => {
    if (isRunning(pid)) throw new Error(`${pid} still runs`);
  });
}

interface Parts {
  readonly program: string;
  readonly model: string;
  /** Parley's state folder. */
  readonly folder: string;
}

/** Model servers with the stand-in as their process, which end with the test. */
export function modelProcessHarness() {
  let lifetimes: Lifetime[] = [];

  afterEach(async () => {
    for (const lifetime of lifetimes) await lifetime.end();
    lifetimes = [];
  });

  async function install(faults: StandInFaults = {}): Promise<Parts> {
    const at = workFolder();
    const program = await installStandIn(at('bin'), { loadMs: 20, stepMs: 20, ...faults });
    const model = dirname(fillModelFolder(at('model')));
    mkdirSync(at('state'));
    return { program, model, folder: at('state') };
  }

  function machineIn(folder: string): Parameters<typeof openModelServer>[0] {
    const lifetime = new Lifetime('a model server');
    lifetimes.push(lifetime);
    const log = { write: () => undefined };
    const stateFile = (name: string) => createStateFile(folder, name);
    return { folder, clock: systemClock, log, lifetime, stateFile };
  }

  function sourceOf({ program, model }: Parts, idleMs: number) {
    return {
      findProgram: () => Promise.resolve({ ok: true, value: program } as const),
      findFolder: () => Promise.resolve({ ok: true, value: model } as const),
      folder: () => model,
      idleMs: () => idleMs,
    };
  }

  function open(parts: Parts, idleMs = 0): ModelSupervisor {
    return openModelServer(machineIn(parts.folder), sourceOf(parts, idleMs));
  }

  /** On a card of 24 GB. */
  function openTwo(parts: Parts, idleMs = 0) {
    const card = { name: 'NVIDIA', kind: 'nvidia', memoryBytes: 25e9, freeBytes: 20e9 } as const;
    const rest = { memoryBytes: 1, freeDiskBytes: undefined, verdict: 'fit' } as const;
    const machine = machineIn(parts.folder);
    const servers = openModelServers(machine, sourceOf(parts, idleMs), {
      isWanted: () => true,
      examineHardware: () => Promise.resolve({ card, ...rest, hasRoomForTwo: true }),
    });
    return { ...servers, lifetime: machine.lifetime };
  }

  return { install, open, openTwo };
}
