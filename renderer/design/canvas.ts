/** Has a canvas drawn anew where its size or the theme is another one, until it is called off. */
export function watchCanvas(canvas: HTMLCanvasElement, redraw: () => void): () => void {
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

export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** Sets the pen to the page's pixels, with as many points as the screen has. How often it was drawn is for tests. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  pen: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
): CanvasSize {
  canvas.dataset['painted'] = `${Number(canvas.dataset['painted'] ?? 0) + 1}`;
  const scale = devicePixelRatio;
  const size = { width: canvas.clientWidth, height: canvas.clientHeight };
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  // Whoever sets the size of a canvas gets an empty one.
  if (pen.canvas.width !== width || pen.canvas.height !== height)
    Object.assign(pen.canvas, { width, height });
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  return size;
}

export interface CanvasInks {
  readonly you: string;
  readonly parley: string;
  readonly line: string;
  readonly bad: string;
  readonly more: string;
  readonly paper: string;
}

/** A custom property would come back as it is written; these properties come back as colours. */
export function canvasInks(canvas: HTMLCanvasElement): CanvasInks {
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
