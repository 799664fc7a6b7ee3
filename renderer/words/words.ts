import type { HostName, PartName } from '../../shared/about.ts';

/** Every text of the screens; a language that lacks one does not compile. */
export interface Words {
  /** For the page's `lang`. */
  readonly language: string;
  readonly tagline: string;
  readonly hosts: Readonly<Record<HostName, string>>;
  readonly runtimeHeading: string;
  readonly partsHeading: string;
  readonly host: string;
  readonly parts: Readonly<Record<PartName, string>>;
  readonly checking: string;
  readonly unknown: string;
  readonly loads: string;
  readonly fails: string;
  readonly checkAgain: string;
  readonly connectionLost: string;
}
