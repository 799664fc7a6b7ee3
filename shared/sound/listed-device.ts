/** A sound device as the system shows it. It is known by its name and host API, never by a number. */
export interface ListedDevice {
  readonly name: string;
  readonly hostApi: string;
  readonly inputChannels: number;
  readonly outputChannels: number;
  readonly rate: number;
  readonly defaultInput: boolean;
  readonly defaultOutput: boolean;
}
