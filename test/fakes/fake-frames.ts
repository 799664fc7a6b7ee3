import { failure } from '../../shared/errors/app-error.ts';
import type { Frames, PreparedFrame } from '../../shared/ports/pictures.ts';

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly grey: number;
}

const maxPixels = 40_000_000;

/** Frames as the first bytes of a JPEG, then their size and grey value as JSON. */
export class FakeFrames implements Frames {
  static draw(drawing: Drawing): Uint8Array {
    const text = new TextEncoder().encode(JSON.stringify(drawing));
    return new Uint8Array([0xff, 0xd8, 0xff, ...text]);
  }

  readonly prepared: Uint8Array[] = [];
  gate: Promise<void> = Promise.resolve();

  readonly prepare: Frames['prepare'] = async (file, plan) => {
    this.prepared.push(file);
    await this.gate;
    if (file[0] !== 0xff || file[1] !== 0xd8 || file[2] !== 0xff) {
      return failure('frameNotJpeg');
    }
    const drawing = read(file);
    if (drawing === undefined) {
      return failure('frameBroken');
    }
    const { width, height, grey } = drawing;
    if (width * height > maxPixels) {
      return failure('frameLarge', { width, height });
    }
    const planned = plan({ width, height });
    const value: PreparedFrame = {
      jpeg: FakeFrames.draw({ width: planned.width, height: planned.height, grey }),
      width: planned.width,
      height: planned.height,
      signature: new Uint8Array(256).fill(grey),
    };
    return { ok: true, value };
  };
}

function read(file: Uint8Array): Drawing | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(file.subarray(3))) as Drawing;
  } catch {
    return undefined;
  }
}
