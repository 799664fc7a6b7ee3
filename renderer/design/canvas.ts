/** Calls `redraw` when the size or the theme changes; the result stops it. */
export function redrawOnChange(canvas: HTMLCanvasElement, redraw: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const resized = new ResizeObserver(redraw);
  const themed = new MutationObserver(redraw);
  resized.observe(canvas);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast'] });
  dark.addEventListener('change', redraw);
  return () => {
    resized.disconnect();
    themed.disconnect();
    dark.removeEventListener('change', redraw);
  };
}

/** Repaints once in the next frame, however many requests come before it. */
export function repaintOnRequest(paint: () => void) {
  let frame = 0;
  const paintFrame = (): void => {
    frame = 0;
    paint();
  };
  return {
    request: (): void => {
      if (frame === 0) frame = requestAnimationFrame(paintFrame);
    },
    cancel: (): void => cancelAnimationFrame(frame),
  };
}

export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** Scales to device pixels and returns the size in CSS pixels. `data-painted` is for tests. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  pen: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
): CanvasSize {
  canvas.dataset['painted'] = `${Number(canvas.dataset['painted'] ?? 0) + 1}`;
  const scale = devicePixelRatio;
  const size = { width: canvas.clientWidth, height: canvas.clientHeight };
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  // Setting the size clears a canvas, so set it only on change.
  if (pen.canvas.width !== width || pen.canvas.height !== height)
    Object.assign(pen.canvas, { width, height });
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  return size;
}

export interface CanvasColors {
  readonly you: string;
  readonly parley: string;
  readonly line: string;
  readonly bad: string;
  readonly more: string;
  readonly paper: string;
}

/** Reads the theme's colours from standard CSS properties, because custom properties do not resolve to colours. */
export function readCanvasColors(canvas: HTMLCanvasElement): CanvasColors {
  const style = getComputedStyle(canvas);
  return {
    you: style.color,
    parley: style.caretColor,
    line: style.outlineColor,
    bad: style.textDecorationColor,
    more: style.columnRuleColor,
    paper: style.backgroundColor,
  };
}
