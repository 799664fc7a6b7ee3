/** A process of Parley's own that does one thing, and is asked for it by messages. */
export interface ChildProcess<Request> {
  readonly post: (request: Request) => void;
  readonly kill: () => void;
}

export interface ChildProcessListener {
  /** What it sends, as it came. */
  readonly message: (message: unknown) => void;
  /** It is gone, by itself or killed; with the last words of what ended it, where they are kept. */
  readonly ended: (lastWords: string) => void;
}

/** Starts such a process; each host has its own kind: a forked Node, or a utility process of Electron. */
export type StartChildProcess<Request> = (listener: ChildProcessListener) => ChildProcess<Request>;

/** The processes that a host keeps beside its own. */
export interface HostProcesses {
  /** Touches the sound system once it is told to, so that a library that ends whoever asks for the devices ends that process. */
  readonly startSoundProbe: StartChildProcess<'ask'>;
}
