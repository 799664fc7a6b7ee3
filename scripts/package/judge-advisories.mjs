/** @typedef {{ name: string, severity: string, via: (string | { title: string, url: string })[] }} Fault */

/**
 * @typedef {object} AuditReport what `npm audit --json` says
 * @property {Record<string, Fault>} [vulnerabilities]
 * @property {string} [message] why it says nothing
 */

/** From which on a release has to wait. */
const grave = new Set(['high', 'critical']);

/**
 * A fault in what people get stops a release; one in what only builds it is told.
 * @param {AuditReport} report
 * @param {ReadonlySet<string>} shipped names of everything that is in a package
 * @returns {{ stops: readonly string[], told: readonly string[] } | { reason: string }}
 */
export const judgeAdvisories = ({ vulnerabilities, message }, shipped) => {
  if (vulnerabilities === undefined) {
    return { reason: (message ?? 'it gave no answer').split('\n', 1)[0] ?? '' };
  }
  // Those that only need another one that is faulty say nothing of their own.
  const own = Object.values(vulnerabilities).filter(({ via }) =>
    via.some((cause) => typeof cause !== 'string'),
  );
  /** @param {Fault} fault */
  const stops = ({ name, severity }) => shipped.has(name) && grave.has(severity);
  return {
    stops: own.filter(stops).map(line),
    told: own.filter((fault) => !stops(fault)).map(line),
  };
};

/** @param {Fault} fault */
const line = ({ name, severity, via }) => {
  const titles = via.flatMap((cause) =>
    typeof cause === 'string' ? [] : [`${cause.title} (${cause.url})`],
  );
  return `${name}, ${severity}: ${titles.join('; ')}`;
};
