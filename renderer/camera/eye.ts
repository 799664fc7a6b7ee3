import type { SeeingDoor, SeeingSettings } from '../../shared/vision/seeing-settings.ts';
import { Shutter } from './shutter.ts';
import type { ShutterNeeds } from './shutter.ts';
import { comesBack, mayUseCamera, reasonOf, wasRefused, whyCameraEnded } from './lost-reason.ts';
import type { LostReason } from './lost-reason.ts';
import type { CameraDevice, Media } from './media.ts';
import { doorFor, openSource } from './open-source.ts';

/** What the screens show of the camera. */
export type EyeView =
  | { readonly state: 'off' }
  | { readonly state: 'opening' }
  /** The stream is for the preview. */
  | { readonly state: 'open'; readonly stream: MediaStream; readonly label: string }
  /** `returns` says that it is tried again when that may help. */
  | { readonly state: 'lost'; readonly reason: LostReason; readonly returns: boolean };

export interface EyeNeeds extends ShutterNeeds {
  readonly media: Media;
  /** Tells the core what is switched on; false where it cannot be reached. */
  readonly allow: (door: SeeingDoor) => Promise<boolean>;
  readonly tellSettings: (settings: SeeingSettings) => Promise<boolean>;
}

/** Another program says nothing when it lets go of a camera, and a system not always when one comes. */
const retryMs = 3000;

/** Opens what the person wants shown, keeps it open, and says what is the matter when it is not. */
export class Eye {
  readonly #needs: EyeNeeds;
  readonly #shutter: Shutter;
  readonly #watchers = new Set<() => void>();
  #view: EyeView = { state: 'off' };
  #wanted: SeeingSettings | undefined;
  /** Counts what was wanted; whatever belongs to an older wish is undone. */
  #wish = 0;
  #trying = false;
  #stopRetrying: () => void = () => undefined;

  constructor(needs: EyeNeeds) {
    this.#needs = needs;
    this.#shutter = new Shutter(needs);
  }

  readonly view = (): EyeView => this.#view;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#watchers.add(changed);
    return () => {
      this.#watchers.delete(changed);
    };
  };

  /** To be called for a click or a key: a screen is only shared then. */
  async open(settings: SeeingSettings): Promise<void> {
    this.#leave();
    this.#wanted = settings;
    this.#show({ state: 'opening' });
    await this.#try(this.#wish);
  }

  /** Rate, slices and crop change in an open eye; another source is opened anew. */
  async change(settings: SeeingSettings): Promise<void> {
    const source = JSON.stringify(this.#wanted?.source);
    if (this.#wanted === undefined) return;
    if (source !== JSON.stringify(settings.source)) {
      await this.open(settings);
      return;
    }
    this.#wanted = settings;
    this.#shutter.set(settings);
    await this.#needs.tellSettings(settings);
  }

  /** What is kept has changed, and the core knows it: only another source is opened anew. */
  async follow(settings: SeeingSettings): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    if (JSON.stringify(wanted.source) === JSON.stringify(settings.source)) {
      this.#wanted = settings;
      this.#shutter.set(settings);
    } else await this.open(settings);
  }

  /** Those that can be chosen; nameless until one of them was allowed. */
  readonly cameras = (): Promise<readonly CameraDevice[]> =>
    this.#needs.media.cameras().catch(() => []);

  async close(): Promise<void> {
    this.#leave();
    this.#show({ state: 'off' });
    await this.#needs.allow({ open: 'nothing' });
  }

  /** The preview goes on; no frame is grabbed. */
  setPaused(paused: boolean): void {
    this.#shutter.setPaused(paused);
  }

  setChunk(milliseconds: number): void {
    this.#shutter.setChunk(milliseconds);
  }

  /** A frame has gone to the model. */
  frameSent(): void {
    this.#shutter.frameSent();
  }

  /** The core may be a new one that knows nothing of what was switched on. */
  async reconnected(): Promise<void> {
    if (this.#wanted === undefined) return;
    await this.#needs.allow(doorFor(this.#wanted.source));
    await this.#needs.tellSettings(this.#wanted);
  }

  async #try(wish: number): Promise<void> {
    const settings = this.#wanted;
    if (settings === undefined || this.#trying) return;
    this.#trying = true;
    const opened = await this.#openFor(settings);
    this.#trying = false;
    if (wish !== this.#wish) {
      if (typeof opened !== 'string') stop(opened);
      // What is wanted now has waited for this.
      await this.#try(this.#wish);
      return;
    }
    if (typeof opened === 'string') this.#lose(opened);
    else this.#keep(opened, settings);
  }

  async #openFor(settings: SeeingSettings): Promise<MediaStream | LostReason> {
    const { allow, tellSettings, media } = this.#needs;
    const heard = (await allow(doorFor(settings.source))) && (await tellSettings(settings));
    if (!heard) return 'failed';
    try {
      return await openSource(media, settings.source);
    } catch (error) {
      return reasonOf(error);
    }
  }

  #keep(stream: MediaStream, settings: SeeingSettings): void {
    this.#stopRetrying();
    const wish = this.#wish;
    const [track] = stream.getVideoTracks();
    const deviceId = track?.getSettings().deviceId;
    track?.addEventListener('ended', () => {
      if (wish === this.#wish) void this.#ended(wish, settings, deviceId);
    });
    this.#shutter.open(stream, settings);
    this.#show({ state: 'open', stream, label: track?.label ?? '' });
  }

  async #ended(wish: number, { source }: SeeingSettings, deviceId: string | undefined) {
    this.#shutter.close();
    const camera = source.kind === 'camera';
    const reason = camera ? await whyCameraEnded(this.#needs.media, deviceId) : 'ended';
    if (wish === this.#wish) this.#lose(reason);
  }

  #lose(reason: LostReason): void {
    const returns = this.#wanted?.source.kind === 'camera' && comesBack(reason);
    this.#show({ state: 'lost', reason, returns });
    this.#stopRetrying();
    if (returns) this.#awaitReturn(reason, this.#wish);
    else {
      this.#wanted = undefined;
      void this.#needs.allow({ open: 'nothing' });
    }
  }

  #awaitReturn(reason: LostReason, wish: number): void {
    const { media, after } = this.#needs;
    const again = async (): Promise<void> => {
      if (wasRefused(reason) && (await mayUseCamera(media)) !== 'granted') return;
      if (wish === this.#wish && this.#view.state === 'lost') await this.#try(wish);
    };
    const stopListening = media.onChange(() => void again());
    const stopWaiting = wasRefused(reason)
      ? (): void => undefined
      : after(retryMs, () => void again());
    this.#stopRetrying = () => {
      stopListening();
      stopWaiting();
    };
  }

  #leave(): void {
    this.#wish += 1;
    this.#wanted = undefined;
    this.#stopRetrying();
    this.#shutter.close();
    if (this.#view.state === 'open') stop(this.#view.stream);
  }

  #show(view: EyeView): void {
    this.#view = view;
    for (const changed of this.#watchers) changed();
  }
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
