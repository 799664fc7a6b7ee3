/**
 * Finds the changelog's section for a release, or the unreleased section if the version has none yet.
 * @param {string} changelog
 * @param {string} tag such as v1.0.0, or a version
 * @returns {string | undefined}
 */
export const releaseNotes = (changelog, tag) => {
  const [, ...sections] = changelog.split(/^## /m).map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return { title: title.split(' ')[0], text: `${lines.join('\n').trim()}\n` };
  });
  const named = sections.find(({ title }) => title === tag.replace(/^v/, ''));
  const found = named ?? sections.find(({ title }) => title === 'Unreleased');
  return found === undefined || found.text.trim() === '' ? undefined : found.text;
};
