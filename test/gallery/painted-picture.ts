import type { CaptureView } from '../../renderer/capture/capture-controller.ts';
import type { GalleryState } from './gallery-state.ts';
import type { VisionFrame } from '../../shared/vision/vision-frame.ts';

/** Paints a picture, so that no camera is needed. */
function paint(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 480;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('The canvas has no 2D context.');
  const boxes = [
    ['#d9d3c5', 0, 0, 640, 480],
    ['#b8ad98', 0, 330, 640, 150],
    ['#7d5a45', 120, 210, 130, 150],
    ['#3f5b57', 300, 150, 90, 210],
    ['#c98a4b', 430, 260, 120, 100],
  ] as const;
  for (const [ink, x, y, width, height] of boxes) {
    pen.fillStyle = ink;
    pen.fillRect(x, y, width, height);
  }
  return canvas;
}

export function paintedCapture(state: GalleryState['capture']): CaptureView {
  if (state === undefined) return { state: 'off' };
  if (state === 'opening') return { state };
  if (state === 'denied') return { state: 'lost', reason: 'denied' };
  if (state === 'ended') return { state: 'lost', reason: 'ended' };
  return { state, stream: paint().captureStream(1), label: 'Built-in camera', unreadable: false };
}

async function paintedFrame(): Promise<VisionFrame> {
  const blob = await new Promise<Blob | null>((resolve) => {
    paint().toBlob(resolve, 'image/jpeg', 0.8);
  });
  const jpeg = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
  const facts = { at: 0, bytes: jpeg.length, width: 517, height: 387, slices: 1, tokens: 64 };
  return { facts, jpeg };
}

/** Painted once and shared. */
export const painted = paintedFrame();
