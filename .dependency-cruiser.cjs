// Which folder may import which (docs/architecture.md gives the reasons). The tsconfigs keep the runtimes apart.

/**
 * The pure folders, lowest first, and what each may import besides shared/ and itself. They receive the rest through ports.
 */
const pureFolders = {
  'electron/audio': [],
  'electron/gateway': [],
  'electron/model': ['electron/gateway'],
  'electron/vision': [],
  'electron/settings': ['electron/audio'],
  'electron/talk/session': [],
  'electron/talk/captions': ['electron/audio'],
  'electron/talk': ['electron/audio', 'electron/vision', 'electron/settings'],
  'electron/tools': [],
  'electron/chat': [
    'electron/audio',
    'electron/tools',
    'electron/vision',
    'electron/settings',
    'electron/talk/session',
    'electron/talk/captions',
  ],
  'electron/cursor': [
    'electron/audio',
    'electron/settings',
    'electron/talk',
    'electron/chat',
    'electron/vision',
  ],
  'electron/recordings': ['electron/audio', 'electron/settings', 'electron/talk', 'electron/chat'],
  'electron/memory': ['electron/talk', 'electron/chat', 'electron/recordings'],
};

const pureFolderRules = Object.entries(pureFolders).map(([folder, below]) => ({
  name: `layer-${folder.replace('electron/', '').replace('/', '-')}`,
  comment: `${folder} imports shared/, itself${below.map((other) => `, ${other}`).join('')}; it receives the rest through ports.`,
  from: {
    path: `^${folder}/`,
    pathNot:
      folder === 'electron/talk' ? '^electron/talk/(session|captions)/' : '^electron/audio/native/',
  },
  to: { pathNot: ['^shared/', ...[folder, ...below].map((other) => `^${other}/`)] },
}));

const electronPackage = '(^|/)node_modules/electron/';

/** Each is an error: a warning would stay unread. */
const rules = [
  {
    name: 'no-cycles',
    comment: 'Files in a cycle cannot be read one after another.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'resolvable',
    comment: 'The imported file does not exist.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'shared-stands-alone',
    comment: 'Every folder may import shared/, so shared/ imports none of them.',
    from: { path: '^shared/' },
    to: { pathNot: ['^shared/', '(^|/)node_modules/zod/'] },
  },
  ...pureFolderRules,
  {
    name: 'platform-only-serves-ports',
    comment:
      'A file of platform/ adapts one outside thing to one port; it imports ports, and no host.',
    from: { path: '^electron/platform/' },
    to: {
      path: '^(electron|renderer)/',
      pathNot: ['^electron/platform/', `^(${Object.keys(pureFolders).join('|')})/`],
    },
  },
  {
    name: 'joined-in-one-place',
    comment: 'Only app/ chooses adapters of platform/.',
    from: {
      path: '^electron/',
      pathNot: ['^electron/app/', '^electron/platform/'],
    },
    to: { path: '^electron/platform/' },
  },
  {
    name: 'app-knows-no-host',
    comment: 'Hosts open the app; it never imports a host.',
    from: { path: '^electron/app/' },
    to: { path: '^electron/hosts/' },
  },
  {
    name: 'hosts-are-strangers',
    comment: 'Hosts share the core and do not import each other.',
    from: { path: '^electron/hosts/([^/]+)/' },
    to: { path: '^electron/hosts/[^/]+/', pathNot: '^electron/hosts/$1/' },
  },
  {
    name: 'electron-only-in-the-desktop-host',
    comment: 'The other files run without Electron.',
    from: {
      pathNot: [
        '^electron/hosts/desktop/',
        '^electron/(main|preload|app/ipc/window-ipc)\\.ts$',
        '^test/(e2e|bench/(window|launch|overview/blank))/',
      ],
    },
    to: { path: electronPackage },
  },
  {
    name: 'cli-never-reaches-electron',
    comment: 'The terminal and the browser host run without Electron installed.',
    from: { path: '^electron/(cli|browser)\\.ts$' },
    to: { path: electronPackage, reachable: true },
  },
  {
    name: 'commands-load-when-asked-for',
    comment: 'The command of a talk key starts faster without the modules of `parley talk`.',
    from: { path: '^electron/hosts/terminal/[^/]+\\.ts$' },
    to: {
      path: '^electron/hosts/terminal/commands/.+-command\\.ts$',
      dynamic: false,
    },
  },
  {
    name: 'renderer-and-electron-never-meet',
    comment: 'They are two programs; shared/ipc is all they have in common.',
    from: { path: '^renderer/' },
    to: { path: '^electron/' },
  },
  {
    name: 'electron-and-renderer-never-meet',
    comment: 'They are two programs; shared/ipc is all they have in common.',
    from: { path: '^electron/' },
    to: { path: '^renderer/' },
  },
  {
    name: 'the-bridge-is-the-only-door',
    comment: 'Screens send requests through the bridge only.',
    from: { path: '^renderer/', pathNot: '^renderer/app/bridge/' },
    to: { path: '^shared/ipc/' },
  },
  {
    name: 'design-knows-no-screen',
    comment: 'Buttons, menus and sheets are the same on every screen; callers pass the actions.',
    from: { path: '^renderer/design/' },
    to: { path: '^(renderer|shared)/', pathNot: '^renderer/design/' },
  },
  {
    name: 'renderer-carries-no-checks',
    comment:
      'The core checks requests, so the page needs no schemas. The linter checks that the page imports only types of the contract.',
    from: { path: '^renderer/' },
    to: { path: '(^|/)node_modules/zod/' },
  },
  {
    name: 'product-knows-no-tests',
    comment: 'The product does not import tests or build scripts.',
    from: { path: '^(shared|electron|renderer)/' },
    to: { path: '^(test|scripts)/' },
  },
  {
    name: 'only-shipped-packages',
    comment:
      'The main process loads packages from node_modules, so it may import dependencies only. The build bundles zod, yauzl, yazl and the client of the Model Context Protocol, which drops their unused code.',
    from: { path: '^(shared|electron)/' },
    to: {
      dependencyTypes: ['npm-dev'],
      pathNot: [electronPackage, '(^|/)node_modules/(zod|yauzl|yazl|@modelcontextprotocol/sdk)/'],
    },
  },
];

module.exports = {
  forbidden: rules.map((rule) => Object.assign(rule, { severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.css'],
    },
  },
};
