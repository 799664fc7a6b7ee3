import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { ModelHardware } from '../../../shared/model/local-model-state.ts';
import {
  bestCard,
  type GraphicsCard,
  hasRoomForTwo,
  judgeCard,
} from '../../model/hardware-verdict.ts';

/** Everything that Parley asks the system about its hardware. Tests give sample answers. */
export interface HardwareSources {
  /** A program's output, or empty if it is missing, fails or takes too long. */
  readonly run: (program: string, parameters: readonly string[]) => Promise<string>;
  readonly drmFolder: string;
  readonly system: NodeJS.Platform;
  readonly memoryBytes: () => number;
}

const runLimitMs = 5000;

const systemSources: HardwareSources = {
  run: runLimited,
  drmFolder: '/sys/class/drm',
  system: process.platform,
  memoryBytes: totalmem,
};

function runLimited(program: string, parameters: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = {
      timeout: runLimitMs,
      killSignal: 'SIGKILL',
      maxBuffer: 1_000_000,
      windowsHide: true,
      env: { ...process.env, LC_ALL: 'C' },
    } as const;
    execFile(program, [...parameters], options, (error, output) => {
      resolve(error === null ? output : '');
    });
  });
}

/** Examines graphics cards and memory. `freeDiskBytes` is the free space for the model's files. */
export async function examineHardware(
  freeDiskBytes?: number,
  sources: HardwareSources = systemSources,
): Promise<ModelHardware> {
  const memoryBytes = sources.memoryBytes();
  const card = bestCard(await findCards(sources));
  const facts = {
    memoryBytes,
    freeDiskBytes,
    verdict: judgeCard(card),
    hasRoomForTwo: hasRoomForTwo(card),
  };
  if (card === undefined) return { card: undefined, ...facts };
  const { name, kind, memoryBytes: cardMemoryBytes, freeBytes } = card;
  return { card: { name, kind, memoryBytes: cardMemoryBytes, freeBytes }, ...facts };
}

async function findCards(sources: HardwareSources): Promise<readonly GraphicsCard[]> {
  const { run, system } = sources;
  if (system === 'darwin') return appleCards(sources);
  const nvidia = readNvidiaList(await queryNvidia(run));
  const vulkan = readVulkanSummary(await run('vulkaninfo', ['--summary']));
  const drm = system === 'linux' ? await drmCards(sources.drmFolder) : [];
  return [
    ...nvidia,
    ...drm
      .filter(({ kind }) => kind !== 'nvidia' || nvidia.length === 0)
      .map(({ name, kind, memoryBytes, freeBytes }) => {
        const vulkanCard = vulkan.find((card) => card.kind === kind);
        return { name: vulkanCard?.name ?? name, kind, memoryBytes, freeBytes };
      }),
    // For cards that only Vulkan lists, the size of the memory is unknown.
    ...vulkan.filter(({ kind }) => ![...nvidia, ...drm].some((card) => card.kind === kind)),
  ];
}

/** Queries NVIDIA's driver. A driver from before 2022 refuses a query with `compute_cap`. */
async function queryNvidia(run: HardwareSources['run']): Promise<string> {
  const fields = 'name,memory.total,memory.free';
  const format = '--format=csv,noheader,nounits';
  const output = await run('nvidia-smi', [`--query-gpu=${fields},compute_cap`, format]);
  return output === '' ? run('nvidia-smi', [`--query-gpu=${fields}`, format]) : output;
}

const mebibyte = 1024 ** 2;

function readNvidiaList(output: string): readonly GraphicsCard[] {
  return output
    .split('\n')
    .map((line) => line.split(',').map((part) => part.trim()))
    .filter(([name, total]) => name !== undefined && total !== undefined && name !== '')
    .map(([name = '', total, free, capability]) => ({
      name,
      kind: 'nvidia',
      memoryBytes: parseScaled(total, mebibyte),
      freeBytes: parseScaled(free, mebibyte),
      computeCapability: parseScaled(capability, 1),
    }));
}

function parseScaled(text: string | undefined, unit: number): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return Number.isFinite(value) ? value * unit : undefined;
}

const vendors: Readonly<Record<string, 'nvidia' | 'amd' | 'intel'>> = {
  '0x10de': 'nvidia',
  '0x1002': 'amd',
  '0x8086': 'intel',
};

const names = { nvidia: 'NVIDIA', amd: 'AMD', intel: 'Intel' } as const;

async function drmCards(folder: string): Promise<readonly GraphicsCard[]> {
  const entries = await readdir(folder).catch((): string[] => []);
  const cards = entries
    .filter((name) => /^card\d+$/u.test(name))
    .map(async (name) => {
      const device = join(folder, name, 'device');
      const kind = vendors[await readLine(join(device, 'vendor'))];
      if (kind === undefined) return [];
      const total = parseScaled(await readLine(join(device, 'mem_info_vram_total')), 1);
      const used = parseScaled(await readLine(join(device, 'mem_info_vram_used')), 1);
      const freeBytes = total === undefined || used === undefined ? undefined : total - used;
      return [{ name: names[kind], kind, memoryBytes: total, freeBytes }];
    });
  return (await Promise.all(cards)).flat();
}

async function readLine(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return '';
  }
}

function readVulkanSummary(output: string): readonly GraphicsCard[] {
  return output
    .split(/^GPU\d+:/mu)
    .slice(1)
    .filter((part) => vulkanField(part, 'deviceType') === 'PHYSICAL_DEVICE_TYPE_DISCRETE_GPU')
    .map((part) => ({
      name: vulkanField(part, 'deviceName'),
      kind: vendors[vulkanField(part, 'vendorID')] ?? 'other',
      memoryBytes: undefined,
      freeBytes: undefined,
    }));
}

function vulkanField(part: string, name: string): string {
  const line = part.split('\n').find((text) => text.trim().startsWith(name));
  return line?.split('=')[1]?.trim() ?? '';
}

/** Lists Apple's chips, which use the memory of the computer. Macs with other processors are not supported. */
async function appleCards({ run, memoryBytes }: HardwareSources): Promise<readonly GraphicsCard[]> {
  const name = (await run('/usr/sbin/sysctl', ['-n', 'machdep.cpu.brand_string'])).trim();
  if (!name.startsWith('Apple ')) return [];
  return [{ name, kind: 'apple', memoryBytes: memoryBytes(), freeBytes: undefined }];
}
