/** A helper process that serves one kind of request. */
export interface ChildProcess<Request> {
  readonly post: (request: Request) => void;
  readonly kill: () => void;
}

export interface ChildProcessListener {
  /** An unvalidated message from the process. */
  readonly onMessage: (message: unknown) => void;
  /** `reason` is its last line on standard error, if the host captures that, or else how it ended. */
  readonly onEnd: (reason: string) => void;
}

/** Starts a helper process: a forked Node process, or in the desktop host an Electron utility process. */
export type StartChildProcess<Request> = (listener: ChildProcessListener) => ChildProcess<Request>;

/** The helper processes that a host can start. */
export interface HostProcesses {
  /** Opens the sound library on request, because some libraries abort the process that lists devices. */
  readonly startSoundProbe: StartChildProcess<'ask'>;
}
