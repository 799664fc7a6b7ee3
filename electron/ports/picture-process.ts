import type { FramePlan } from './pictures.ts';

/** What a process that only decodes pictures is asked. One thing at a time: the next after its outcome. */
export type PictureRequest =
  /** Whether its decoders load, and which they are. */
  | { readonly ask: 'part' }
  | { readonly ask: 'probe'; readonly file: Uint8Array }
  | { readonly ask: 'prepare'; readonly file: Uint8Array; readonly maxSide: number }
  | { readonly ask: 'frame'; readonly file: Uint8Array }
  | { readonly ask: 'plan'; readonly plan: FramePlan };

/** What it says; whoever gets it from the process has to look whether it is that. */
export type PictureAnswer =
  | { readonly tell: 'ready' }
  | { readonly tell: 'upright'; readonly width: number; readonly height: number }
  | { readonly tell: 'outcome'; readonly outcome: unknown };

export interface PictureProcess {
  readonly post: (request: PictureRequest) => void;
  readonly kill: () => void;
}

interface PictureProcessListener {
  readonly message: (message: unknown) => void;
  /** It is gone, by itself or killed. */
  readonly ended: () => void;
}

/** Starts such a process; each host has its own kind. */
export type StartPictureProcess = (listener: PictureProcessListener) => PictureProcess;
