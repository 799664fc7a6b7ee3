/** What stands in a conversation by its id, as a page shows or plays it: a JPEG, or a WAV file. */
export interface ChatMedia {
  readonly type: 'image' | 'audio';
  readonly file: Uint8Array;
}
