import { failure, mapOutcome, type Outcome } from '../../shared/errors/app-error.ts';
import type { RegionWindow } from '../../shared/ports/other-programs.ts';
import type { Frames } from '../../shared/ports/pictures.ts';
import { maxSlicesPerFrame } from '../../shared/protocol/realtime-api.ts';
import type { FrameArea } from '../../shared/vision/vision-options.ts';
import { planFrame } from '../vision/prepare-frame.ts';

interface Deps {
  readonly window: RegionWindow;
  /** A JPEG of the screen that the pointer is on, at its native resolution. */
  readonly captureScreen: () => Promise<Outcome<Uint8Array>>;
  readonly frames: Frames;
}

interface OpenPick {
  readonly screen: Promise<Outcome<Uint8Array>>;
  readonly resolve: (area: FrameArea | undefined) => void;
}

/** Lets the user choose a part of the screen on a picture of it. */
export class RegionPicker {
  readonly #deps: Deps;
  #open: OpenPick | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The chosen part, ready to send; undefined if the user cancelled. A new pick cancels the one before. */
  readonly pick = async (): Promise<Outcome<Uint8Array | undefined>> => {
    const { window, captureScreen, frames } = this.#deps;
    this.cancel();
    const screen = captureScreen();
    const area = await new Promise<FrameArea | undefined>((resolve) => {
      const pick: OpenPick = { screen, resolve };
      this.#open = pick;
      const cancel = (): void => this.#end(pick, undefined);
      window.open(cancel);
      void screen.then((captured) => {
        if (!captured.ok) cancel();
        return undefined;
      });
    });
    const captured = await screen;
    if (!captured.ok) return captured;
    if (area === undefined) return { ok: true, value: undefined };
    const cropped = await frames.prepare(captured.value, (size) =>
      planFrame(size, area, maxSlicesPerFrame),
    );
    return mapOutcome(cropped, ({ jpeg }) => jpeg);
  };

  /** The picture of the screen, which the page shows. */
  readonly screen = (): Outcome<Uint8Array> | Promise<Outcome<Uint8Array>> =>
    this.#open?.screen ?? failure('cursorRegionGone');

  /** Shows the window; call once the page has drawn the picture. */
  readonly show = (): void => {
    if (this.#open !== undefined) this.#deps.window.show();
  };

  readonly take = (area: FrameArea): void => this.#end(this.#open, area);

  readonly cancel = (): void => this.#end(this.#open, undefined);

  #end(pick: OpenPick | undefined, area: FrameArea | undefined): void {
    if (pick === undefined || pick !== this.#open) return;
    this.#open = undefined;
    this.#deps.window.close();
    pick.resolve(area);
  }
}
