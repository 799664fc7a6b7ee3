const texts = import.meta.glob<string>('../../docs/guide/*.md', {
  query: '?raw',
  import: 'default',
});
const pictures = import.meta.glob<string>('../../docs/guide/pictures/*/*.webp', {
  query: '?url',
  import: 'default',
});

/** As it is written, in English where nobody has written it in this language. */
export async function loadGuideText(language: string): Promise<string> {
  const load = texts[`../../docs/guide/${language}.md`] ?? texts['../../docs/guide/en.md'];
  return (await load?.()) ?? '';
}

/** Where a picture is loaded from, of which the guide says the file from its own folder. */
export async function loadGuidePicture(file: string): Promise<string | undefined> {
  return pictures[`../../docs/guide/${file}`]?.();
}
