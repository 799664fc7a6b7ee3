import { useEffect, useState } from 'react';
import { useLanguage } from '../i18n/use-language.ts';
import { loadGuidePicture, loadGuideText } from './guide-sources.ts';
import { readGuide } from './read-guide.ts';
import type { GuideSection } from './read-guide.ts';

export interface ShownGuide {
  readonly sections: readonly GuideSection[];
  /** Where its pictures are loaded from, by their files. */
  readonly addresses: ReadonlyMap<string, string | undefined>;
}

/** The guide in the language of the page, once it has been loaded. */
export function useGuide(): ShownGuide | undefined {
  const language = useLanguage();
  const [guide, setGuide] = useState<ShownGuide>();
  useEffect(() => {
    let current = true;
    void loadGuide(language).then((loaded) => {
      if (current) setGuide(loaded);
      return undefined;
    });
    return () => {
      current = false;
    };
  }, [language]);
  return guide;
}

async function loadGuide(language: string): Promise<ShownGuide> {
  const sections = readGuide(await loadGuideText(language));
  const files = sections.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'picture' ? [part.file] : [])),
  );
  const addresses = await Promise.all(
    files.map(async (file) => [file, await loadGuidePicture(file)] as const),
  );
  return { sections, addresses: new Map(addresses) };
}
