// The rooms of Parley and the arrows between them (docs/architecture.md tells why).
// Everything here is about imports; the tsconfigs keep the runtimes apart.
const pureRooms = '^electron/(session|sound|gateway|recorder/(recording|history)|vision|settings)/';
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
    {
      name: 'pure-rooms',
      comment: 'Pure rooms know shared/, the ports, and themselves; the rest is handed to them.',
      severity: 'error',
      from: { path: pureRooms, pathNot: '^electron/sound/native/' },
      to: { pathNot: ['^shared/', '^electron/ports/', '^electron/$1/'] },
    },
    {
      name: 'policies-judge-only',
      comment: 'Policies judge what a session has emitted, and know no more of it than its events.',
      severity: 'error',
      from: { path: '^electron/conversation/policies/' },
      to: {
        pathNot: [
          '^shared/',
          '^electron/ports/',
          '^electron/conversation/policies/',
          '^electron/session/session-event\\.ts$',
        ],
      },
    },
    {
      name: 'conversation-joins-the-pure',
      comment: 'The conversation joins session and sound; it knows no host and no adapter.',
      severity: 'error',
      from: { path: '^electron/conversation/' },
      to: { pathNot: ['^shared/', '^electron/ports/', '^electron/(conversation|session|sound)/'] },
    },
    {
      name: 'replay-makes-films-of-tapes',
      comment:
        'A film is the very conversation over a tape; it knows no socket, no device and no host.',
      severity: 'error',
      from: { path: '^electron/recorder/replay/' },
      to: {
        pathNot: [
          '^shared/',
          '^electron/ports/',
          '^electron/(recorder/(replay|recording)|conversation|session|sound)/',
        ],
      },
    },
    {
      name: 'chat-is-pure',
      comment: 'A written conversation knows sound as numbers, and of a session what it promises.',
      severity: 'error',
      from: { path: '^electron/chat/' },
      to: {
        pathNot: [
          '^shared/',
          '^electron/ports/',
          '^electron/(chat|sound|conversation/captions)/',
          '^electron/session/(session|session-event)\\.ts$',
        ],
      },
    },
    {
      name: 'own-words-ask-a-chat',
      comment:
        'Writing down what the person says knows sound as numbers, and asks a chat; it knows no talk and no host.',
      severity: 'error',
      from: { path: '^electron/recorder/own-words/' },
      to: {
        pathNot: [
          '^shared/',
          '^electron/ports/',
          '^electron/(recorder/own-words|sound)/',
          '^electron/chat/chat-connection\\.ts$',
          '^electron/session/(session|session-event)\\.ts$',
        ],
      },
    },
    {
      name: 'controllers-join-core-and-page',
      comment:
        'Controllers serve pages with what the pure rooms do; they know no host and no adapter.',
      severity: 'error',
      from: { path: '^electron/controllers/' },
      to: {
        pathNot: [
          '^shared/',
          '^electron/ports/',
          '^electron/(controllers|conversation|sound|vision|settings|chat|recorder)/',
          '^electron/session/(session|session-event)\\.ts$',
          '^electron/ipc/request-refused-error\\.ts$',
        ],
      },
    },
    {
      name: 'ports-stand-alone',
      comment: 'Ports say what the core needs in the words of shared/.',
      severity: 'error',
      from: { path: '^electron/ports/' },
      to: { pathNot: ['^shared/', '^electron/ports/'] },
    },
    {
      name: 'adapters-only-serve-ports',
      comment: 'An adapter fits one outside thing to one port; it knows no host and no session.',
      severity: 'error',
      from: { path: '^electron/adapters/' },
      to: {
        path: '^(electron|renderer)/',
        pathNot: [
          '^electron/adapters/',
          '^electron/ports/',
          // The gateway's door is a port like any other; only types live there.
          '^electron/gateway/gateway\\.ts$',
        ],
      },
    },
    {
      name: 'joined-in-one-place',
      comment: 'Adapters are chosen in core/ and nowhere else.',
      severity: 'error',
      from: {
        path: '^electron/',
        pathNot: ['^electron/core/', '^electron/adapters/'],
      },
      to: { path: '^electron/adapters/' },
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
          '^electron/(main|preload|ipc/window-ipc)\\.ts$',
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
      from: { path: '^renderer/', pathNot: '^renderer/bridge/' },
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
      comment: 'Requests are checked where they arrive; the page need not carry the checker.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: ['^shared/ipc/checks\\.ts$', '(^|/)node_modules/zod/'] },
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
        'The main side runs from node_modules, so it may import dependencies only; zod is built in, so that no more of it is read than is used.',
      severity: 'error',
      from: { path: '^(shared|electron)/' },
      to: { dependencyTypes: ['npm-dev'], pathNot: [electronPackage, '(^|/)node_modules/zod/'] },
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
