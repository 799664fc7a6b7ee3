/** Which of the three hosts runs the core. */
export type HostName = 'desktop' | 'browser' | 'terminal';

/** What a person or a bug report wants to know about the running program. */
export interface About {
  readonly name: string;
  readonly version: string;
  readonly host: HostName;
  readonly runtime: readonly RuntimeVersion[];
}

export interface RuntimeVersion {
  readonly name: string;
  readonly version: string;
}

/** The native parts that Parley cannot do its work without. */
export const partNames = ['portaudio', 'sharp'] as const;
export type PartName = (typeof partNames)[number];

/** Whether a native part loads here, and if not, why and what to do about it. */
export type PartState =
  | { readonly state: 'loads'; readonly detail: string }
  | { readonly state: 'fails'; readonly reason: string };

export type PartReport = { readonly part: PartName; readonly milliseconds: number } & PartState;
