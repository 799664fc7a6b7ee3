/** Looked at before a file is read, by the page as well as by the core. */
export const mostPictureBytes = 50_000_000;
export const mostSoundBytes = 120_000_000;

/** What of the model's memory a clip may take: five minutes are about a third. */
export const mostClipSeconds = 300;

/** A file that a person picks, drops or pastes, before anything of it is read. */
export interface OfferedFile {
  readonly name: string;
  readonly bytes: number;
}

/** Why a file is too large to be attached, or nothing. */
export function sizeProblem({ name, bytes }: OfferedFile): string | undefined {
  const [what, most] = isSoundName(name)
    ? ['a sound', mostSoundBytes]
    : ['a picture', mostPictureBytes];
  if (bytes <= most) return undefined;
  return `${name} is too large: ${what} may have ${most / 1_000_000} MB, and this file has ${Math.ceil(bytes / 1_000_000)} MB.`;
}

export function isSoundName(name: string): boolean {
  return /\.wave?$/iu.test(name);
}
