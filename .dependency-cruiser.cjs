// The rooms of Parley and the arrows between them (docs/architecture.md tells why).
// Everything here is about imports; the tsconfigs keep the runtimes apart.

/**
 * The pure rooms, lowest first: what each may import besides shared/ and itself. Nothing else is
 * handed to them but by the ports.
 */
const rooms = {
  'electron/audio': [],
  'electron/gateway': [],
  'electron/vision': [],
  'electron/settings': ['electron/audio'],
  'electron/talk/session': [],
  'electron/talk/captions': ['electron/audio'],
  'electron/talk': ['electron/audio', 'electron/vision', 'electron/settings'],
  'electron/chat': [
    'electron/audio',
    'electron/vision',
    'electron/settings',
    'electron/talk/session',
    'electron/talk/captions',
  ],
  'electron/recordings': ['electron/audio', 'electron/settings', 'electron/talk', 'electron/chat'],
};

const pureRooms = Object.entries(rooms).map(([room, below]) => ({
  name: `room-${room.replace('electron/', '').replace('/', '-')}`,
  comment: `${room} imports shared/, itself${below.map((other) => `, ${other}`).join('')}; the rest is handed to it.`,
  severity: 'error',
  from: {
    path: `^${room}/`,
    pathNot:
      room === 'electron/talk' ? '^electron/talk/(session|captions)/' : '^electron/audio/native/',
  },
  to: { pathNot: ['^shared/', ...[room, ...below].map((other) => `^${other}/`)] },
}));

const electronPackage = '(^|/)node_modules/electron/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle has no first thing to read.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'shared-stands-alone',
      comment: 'shared/ is what every room has in common; it knows none of them.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { pathNot: ['^shared/', '(^|/)node_modules/zod/'] },
    },
    ...pureRooms,
    {
      name: 'platform-only-serves-ports',
      comment:
        'A file of platform/ fits one outside thing to one port; it knows the ports, and no host.',
      severity: 'error',
      from: { path: '^electron/platform/' },
      to: {
        path: '^(electron|renderer)/',
        pathNot: ['^electron/platform/', `^(${Object.keys(rooms).join('|')})/`],
      },
    },
    {
      name: 'joined-in-one-place',
      comment: 'What is outside is chosen in app/ and nowhere else.',
      severity: 'error',
      from: {
        path: '^electron/',
        pathNot: ['^electron/app/', '^electron/platform/'],
      },
      to: { path: '^electron/platform/' },
    },
    {
      name: 'app-knows-no-host',
      comment: 'Hosts open the app; it never reaches back.',
      severity: 'error',
      from: { path: '^electron/app/' },
      to: { path: '^electron/hosts/' },
    },
    {
      name: 'hosts-are-strangers',
      comment: 'The hosts share the core, not each other.',
      severity: 'error',
      from: { path: '^electron/hosts/([^/]+)/' },
      to: { path: '^electron/hosts/[^/]+/', pathNot: '^electron/hosts/$1/' },
    },
    {
      name: 'electron-only-in-the-desktop-host',
      comment: 'Everything else runs without Electron.',
      severity: 'error',
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
      comment: 'The terminal and the browser host run where no Electron is.',
      severity: 'error',
      from: { path: '^electron/(cli|browser)\\.ts$' },
      to: { path: electronPackage, reachable: true },
    },
    {
      name: 'commands-load-when-asked-for',
      comment: 'Whoever presses a talk key does not wait for what `parley talk` needs.',
      severity: 'error',
      from: { path: '^electron/hosts/terminal/[^/]+\\.ts$' },
      to: {
        path: '^electron/hosts/terminal/commands/.+-command\\.ts$',
        dynamic: false,
      },
    },
    {
      name: 'renderer-and-electron-never-meet',
      comment: 'They are two programs; shared/ipc is all they have in common.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^electron/' },
    },
    {
      name: 'electron-and-renderer-never-meet',
      comment: 'They are two programs; shared/ipc is all they have in common.',
      severity: 'error',
      from: { path: '^electron/' },
      to: { path: '^renderer/' },
    },
    {
      name: 'the-bridge-is-the-only-door',
      comment: 'No screen speaks ipc; it asks the bridge.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/app/bridge/' },
      to: { path: '^shared/ipc/' },
    },
    {
      name: 'design-knows-no-screen',
      comment:
        'Buttons, menus and sheets are the same for every screen; what they do is handed in.',
      severity: 'error',
      from: { path: '^renderer/design/' },
      to: { path: '^(renderer|shared)/', pathNot: '^renderer/design/' },
    },
    {
      name: 'renderer-carries-no-checks',
      comment:
        'Requests are checked where they arrive; the page need not carry the checker. That it imports only types of the contract, the linter sees.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '(^|/)node_modules/zod/' },
    },
    {
      name: 'product-knows-no-tests',
      comment: 'What ships never imports what only tests or builds it.',
      severity: 'error',
      from: { path: '^(shared|electron|renderer)/' },
      to: { path: '^(test|scripts)/' },
    },
    {
      name: 'only-shipped-packages',
      comment:
        'The main side runs from node_modules, so it may import dependencies only; zod, yauzl and yazl are built in, so that no more of them is read than is used.',
      severity: 'error',
      from: { path: '^(shared|electron)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        pathNot: [electronPackage, '(^|/)node_modules/(zod|yauzl|yazl)/'],
      },
    },
  ],
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
