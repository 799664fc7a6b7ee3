/** @typedef {{ name: string, severity: string, via: (string | { title: string, url: string })[] }} Vulnerability */

/**
 * @typedef {object} AuditReport the output of `npm audit --json`
 * @property {Record<string, Vulnerability>} [vulnerabilities]
 * @property {string} [message] why there is no report
 */

/** Severities that block a release. */
const blockingSeverities = new Set(['high', 'critical']);

/**
 * A high or critical vulnerability in a shipped part blocks a release; any other is only reported.
 * @param {AuditReport} report
 * @param {ReadonlySet<string>} shipped names of every part of a package
 * @returns {{ blocking: readonly string[], reported: readonly string[] } | { reason: string }}
 */
export const judgeAdvisories = ({ vulnerabilities, message }, shipped) => {
  if (vulnerabilities === undefined) {
    return { reason: (message ?? 'it gave no answer').split('\n', 1)[0] ?? '' };
  }
  // An entry whose `via` has only names is a dependent of a vulnerable package.
  const direct = Object.values(vulnerabilities).filter(({ via }) =>
    via.some((cause) => typeof cause !== 'string'),
  );
  /** @param {Vulnerability} vulnerability */
  const blocks = ({ name, severity }) => shipped.has(name) && blockingSeverities.has(severity);
  return {
    blocking: direct.filter(blocks).map(line),
    reported: direct.filter((vulnerability) => !blocks(vulnerability)).map(line),
  };
};

/** @param {Vulnerability} vulnerability */
const line = ({ name, severity, via }) => {
  const titles = via.flatMap((cause) =>
    typeof cause === 'string' ? [] : [`${cause.title} (${cause.url})`],
  );
  return `${name}, ${severity}: ${titles.join('; ')}`;
};
