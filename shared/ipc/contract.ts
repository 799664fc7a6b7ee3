import type { About, PartName, PartReport } from '../about.ts';

/** What the renderer may ask of the main side: a name, its input, its value. */
export interface Requests {
  /** Name, version, host and runtime of the running program. */
  readonly about: { readonly input: undefined; readonly value: About };
  /** Loads the named native parts; each result follows as a `partChecked` notice. */
  readonly checkParts: {
    readonly input: { readonly parts: readonly PartName[] };
    readonly value: { readonly checking: number };
  };
}

/** What the main side tells the renderer without being asked. */
export interface Notices {
  readonly partChecked: PartReport;
}

export type RequestName = keyof Requests;
export type RequestInput<Name extends RequestName> = Requests[Name]['input'];
export type RequestValue<Name extends RequestName> = Requests[Name]['value'];

export type NoticeName = keyof Notices;

/** A notice with its payload: one union, so that a listener can switch on `name`. */
export type Notice = {
  readonly [Name in NoticeName]: { readonly name: Name; readonly payload: Notices[Name] };
}[NoticeName];

/** One function per request. The type makes a missing or an extra one a compile error. */
export type Handlers = {
  readonly [Name in RequestName]: (
    input: RequestInput<Name>,
  ) => RequestValue<Name> | Promise<RequestValue<Name>>;
};

const everyRequest: Readonly<Record<RequestName, true>> = { about: true, checkParts: true };

/** The names at run time, for the preload, which may expose these calls and no others. */
export const requestNames: readonly RequestName[] = Object.keys(everyRequest).filter(isRequestName);

export function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(everyRequest, name);
}
