/** A screen or a window that can be shown to the model. */
export interface CaptureSource {
  readonly id: string;
  readonly kind: 'screen' | 'window';
  readonly name: string;
  /** A small JPEG, where thumbnails were asked for. */
  readonly thumbnail?: Uint8Array | undefined;
}
