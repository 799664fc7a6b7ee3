/** A process that only asks for the sound devices, so that a library that ends whoever asks ends that one. */
export interface SoundProbeProcess {
  /** Lets it touch the sound system. */
  readonly ask: () => void;
  readonly kill: () => void;
}

/** What it says: that it runs and waits, and that the sound system has let it live. */
export type SoundProbeMessage = 'ready' | 'survived';

interface SoundProbeListener {
  readonly message: (message: unknown) => void;
  /** It is gone; with the last words of what ended it, where there were any. */
  readonly ended: (lastWords: string) => void;
}

/** Starts such a process; each host has its own kind. */
export type StartSoundProbe = (listener: SoundProbeListener) => SoundProbeProcess;
