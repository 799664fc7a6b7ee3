/**
 * Tests have three tiers: `npm run check` between two edits, `npm test` before a change lands, and `npm run test:all`
 * every night and before a release. `npm test` sets the variable; without it, Vitest and Playwright exclude no test.
 */
export const isDefaultTier = process.env['PARLEY_TEST_TIER'] === 'default';

/**
 * `npm test` leaves a test with this word in its title to `npm run test:all`, because a cheaper test holds the same rule, or
 * because it takes long for what it can find.
 */
export const nightlyTag = '@nightly';

/** Paths under `test` that `npm test` leaves to `npm run test:all`, because they take long or need special programs. */
export const nightlyTests = [
  // Rendered tapes, the simulation and the real clock; the rules they exercise have unit tests.
  'slow/',
  // Random input and random faults, for minutes.
  'floods/',
  'fuzz/',
  'leaks/',
  'torture/',
  // Long conversations on the sound card; `odd-servers` and the contract tests stay.
  'scenes/conversation.test.ts',
  'scenes/open-speakers.test.ts',
  // Each plants faults in a copy of the whole tree.
  'gates/planted-faults.test.ts',
  'gates/third-language.test.ts',
  // Needs a cross compiler and an emulator.
  'scripts/foreign/',
  // These files start a program for each rule of an engineer's command; unit tests hold the rules.
  'contract/rerun.contract.test.ts',
  'contract/tape-commands.contract.test.ts',
  'e2e-cli/tapes.test.ts',
  // The gates, releases and installation, which change rarely; a fresh clone installs before `npm test`.
  'gates/gates.test.ts',
  'scripts/commands.test.ts',
  'scripts/dependencies.test.ts',
  'scripts/npm-exit.test.ts',
  'scripts/release.test.ts',
  'scripts/sign-feed.test.ts',
  // Minutes of sound, a full disk, and the model behind the gateway.
  'e2e-cli/long-talks.test.ts',
  'e2e-cli/nightly.test.ts',
] as const;

/** Files that Vitest excludes in this tier. */
export const excludedFiles = isDefaultTier
  ? nightlyTests.map((place) => `test/${place}${place.endsWith('/') ? '**' : ''}`)
  : [];

/**
 * Specs under `test/e2e` that `npm test` runs in each host. The page is the same in every host, so each screen is tested
 * in one of them, and the desktop app leaves out what the package runs. `npm run test:all` runs every spec in every host it is for.
 */
export const defaultSpecs = {
  desktop: [
    'chat',
    'cursor/quick-ask.desktop',
    'desktop/keyring.desktop',
    'desktop/links-and-tapes.desktop',
    'desktop/session.desktop',
    'desktop/tray.desktop',
    'faults',
    'first-run',
    'history',
    'hosts/survival.desktop',
    'keys/global-keys.desktop',
    'privacy',
    'servers',
    'vision/vision',
    'vision/vision.desktop',
  ],
  browser: [
    'gallery/gallery-requests.browser',
    'gallery/gallery-settings.browser',
    'gallery/gallery-talk.browser',
    'hosts/browser-host.browser',
    'settings',
    'talk',
  ],
  packaged: [
    'hosts/package.packaged',
    'hosts/no-network.desktop',
    'hosts/sandbox.packaged',
    'hosts/security.desktop',
    'installed/contents.packaged',
    // This file also talks.
    'installed/installed.packaged',
  ],
} as const;

/** Tests that Playwright excludes in this tier. */
export const excludedTitles = isDefaultTier ? [new RegExp(nightlyTag)] : [];

/** Specs by their names under `test/e2e`, as Playwright matches whole paths. */
export const specsNamed = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`/test/e2e/(${names.map((name) => name.replaceAll('.', String.raw`\.`)).join('|')})\.spec\.ts$`,
  );
