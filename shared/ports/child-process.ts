/** A helper process that serves one kind of request. */
export interface ChildProcess<Request> {
  readonly post: (request: Request) => void;
  readonly kill: () => void;
}

export interface ChildProcessListener {
  /** An unvalidated message from the process. */
  readonly message: (message: unknown) => void;
  /** `stderrTail` holds its last lines on standard error, if the host keeps them. */
  readonly ended: (stderrTail: string) => void;
}

/** Hosts differ: a forked Node process, or an Electron utility process. */
export type StartChildProcess<Request> = (listener: ChildProcessListener) => ChildProcess<Request>;

/** Helper processes of a host. */
export interface HostProcesses {
  /** Opens the sound library on request, because some libraries abort the process that lists devices. */
  readonly startSoundProbe: StartChildProcess<'ask'>;
}
