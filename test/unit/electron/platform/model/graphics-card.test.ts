import { describe, expect, it } from 'vitest';
import { examineHardware } from '../../../../../electron/platform/model/graphics-card.ts';

const memory = 64 * 1024 ** 3;

function sourcesWith(outputs: Readonly<Record<string, string>>, system: NodeJS.Platform = 'linux') {
  return {
    run: (program: string, parameters: readonly string[]) =>
      Promise.resolve(outputs[[program, ...parameters].join(' ')] ?? outputs[program] ?? ''),
    drmFolder: '/nowhere',
    system,
    memoryBytes: () => memory,
  };
}

const vulkanSummary = `Devices:
========
GPU0:
	vendorID           = 0x10005
	deviceType         = PHYSICAL_DEVICE_TYPE_CPU
	deviceName         = llvmpipe (LLVM 15.0.6, 256 bits)
GPU1:
	vendorID           = 0x1002
	deviceType         = PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
	deviceName         = AMD Radeon RX 7900 XT (RADV NAVI31)
`;

describe('examineHardware', () => {
  it('knows the name, memory and free memory of a card from nvidia-smi', async () => {
    const sources = sourcesWith({ 'nvidia-smi': 'NVIDIA GeForce RTX 4070, 12282, 5120, 8.9\n' });
    expect(await examineHardware(1e12, sources)).toEqual({
      card: {
        name: 'NVIDIA GeForce RTX 4070',
        kind: 'nvidia',
        memoryBytes: 12_282 * 1024 ** 2,
        freeBytes: 5120 * 1024 ** 2,
      },
      memoryBytes: memory,
      freeDiskBytes: 1e12,
      verdict: 'fit',
      hasRoomForTwo: false,
    });
  });

  it('asks an older driver again without the compute capability', async () => {
    const query =
      'nvidia-smi --query-gpu=name,memory.total,memory.free --format=csv,noheader,nounits';
    const sources = sourcesWith({ [query]: 'Quadro RTX 6000, 24220, 24000\n' });
    const { card, verdict } = await examineHardware(undefined, sources);
    expect(card?.name).toBe('Quadro RTX 6000');
    expect(verdict).toBe('uncertain');
  });

  it('is uncertain about a card that only Vulkan knows, and ignores software rendering', async () => {
    const found = await examineHardware(undefined, sourcesWith({ vulkaninfo: vulkanSummary }));
    expect(found.card?.name).toBe('AMD Radeon RX 7900 XT (RADV NAVI31)');
    expect(found.verdict).toBe('uncertain');
  });

  it('judges a Mac by its chip and memory', async () => {
    const sources = sourcesWith({ '/usr/sbin/sysctl': 'Apple M4 Max\n' }, 'darwin');
    const found = await examineHardware(undefined, sources);
    expect(found.card).toMatchObject({ name: 'Apple M4 Max', kind: 'apple', memoryBytes: memory });
    expect(found.verdict).toBe('fit');
  });

  it('finds no card if no program answers', async () => {
    expect((await examineHardware(undefined, sourcesWith({}))).verdict).toBe('noCard');
  });
});
