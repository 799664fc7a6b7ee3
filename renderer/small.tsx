import { lazy, Suspense } from 'react';
import { openPage } from './app/open-page.tsx';
import { SmallWindowPage } from './cursor/small-window-page.tsx';

// The windows over other programs. The page loads only what they need: it stays in memory while hidden, and must appear
// at once after its key.

const RegionPage = lazy(async () => ({
  default: (await import('./cursor/region-page.tsx')).RegionPage,
}));

const isRegion = new URLSearchParams(location.search).get('window') === 'region';
void openPage({ window: isRegion ? 'region' : 'cursor' }).show(
  isRegion ? (
    <Suspense fallback={<main aria-busy="true" />}>
      <RegionPage />
    </Suspense>
  ) : (
    <SmallWindowPage />
  ),
);
