import type { VoiceTrail } from './voice-trail.ts';

export interface Inks {
  readonly you: string;
  readonly parley: string;
  readonly line: string;
}

export interface RibbonScene {
  readonly you: VoiceTrail;
  readonly parley: VoiceTrail;
  /** How much of the way through the line is behind us; nothing where nobody waits. */
  readonly queue: number | undefined;
  /** Somebody is there on either side. */
  readonly present: boolean;
}

/** How far a ribbon reaches over the width: past the middle, so that two voices overlap there. */
const reach = 0.68;
const step = 3;
const overlapping = 0.82;
const stub = 28;

/** Paints one picture of the ribbon; nothing is allocated for it. */
export function paintRibbon(
  pen: CanvasRenderingContext2D,
  { width, height }: { readonly width: number; readonly height: number },
  { you, parley, queue, present }: RibbonScene,
  inks: Inks,
  now: number,
): void {
  const middle = Math.round(height / 2);
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = inks.line;
  pen.fillRect(0, middle - 0.5, width, 1);
  if (queue !== undefined) {
    pen.fillStyle = inks.parley;
    const length = Math.max(stub, width * queue);
    pen.fillRect(width - length, middle - 2, length, 4);
    return;
  }
  pen.globalAlpha = overlapping;
  paintVoice(pen, you, { from: 0, towards: 1, width, height, ink: inks.you, now, present });
  paintVoice(pen, parley, {
    from: width,
    towards: -1,
    width,
    height,
    ink: inks.parley,
    now,
    present,
  });
  pen.globalAlpha = 1;
}

interface Side {
  readonly from: number;
  readonly towards: 1 | -1;
  readonly width: number;
  readonly height: number;
  readonly ink: string;
  readonly now: number;
  readonly present: boolean;
}

function paintVoice(pen: CanvasRenderingContext2D, trail: VoiceTrail, side: Side): void {
  const { from, towards, width, height, ink, now, present } = side;
  const middle = Math.round(height / 2);
  pen.fillStyle = ink;
  // Where somebody is present, a bit of the ribbon shows even in silence.
  if (present && trail.gone(now))
    pen.fillRect(towards === 1 ? from : from - stub, middle - 1.5, stub, 3);
  if (trail.gone(now)) return;
  const length = width * reach;
  const half = middle - 2;
  pen.beginPath();
  pen.moveTo(from, middle);
  for (let x = 0; x <= length; x += step) {
    pen.lineTo(from + towards * x, middle - half * trail.thickness(x / length, now));
  }
  for (let x = Math.floor(length / step) * step; x >= 0; x -= step) {
    pen.lineTo(from + towards * x, middle + half * trail.thickness(x / length, now));
  }
  pen.closePath();
  pen.fill();
}
