/** What the system's loader needs, and nothing that a person keeps in the environment: tokens stay here. */
const wanted = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP'];

/** The environment of the process that decodes pictures. */
export function pictureEnvironment(
  all: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = all[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
