/**
 * Casts that the gate still allows. Each can go once the code under test takes only the part of the object that the test
 * fakes. Do not add entries.
 * @type {readonly { readonly file: string, readonly cast: string, readonly why: string }[]}
 */
export const allowedCasts = [
  {
    file: 'test/fakes/fake-bridge.ts',
    cast: 'as never',
    why: 'one reply serves every request, and only the caller’s types know which',
  },
  {
    file: 'test/unit/renderer/chat/open-drafts.ts',
    cast: 'as never',
    why: 'as in the fake bridge',
  },
  { file: 'test/gallery/gallery-core.ts', cast: 'as never', why: 'as in the fake bridge' },
  {
    file: 'test/fakes/refusing-handlers.ts',
    cast: 'as unknown as ControllerHandlers',
    why: 'a proxy refuses every request of the contract; the names exist only at run time',
  },
  {
    file: 'test/unit/electron/hosts/desktop/desktop-windows-stage.ts',
    cast: 'as unknown as Deps',
    why: 'registering a window takes an Electron window',
  },
  {
    file: 'test/unit/electron/app/ipc/window-ipc.test.ts',
    cast: 'as unknown as Parameters<Join>[0]',
    why: 'as above: a fake Electron window',
  },
  {
    file: 'test/unit/electron/hosts/terminal/commands/talk-command-harness.ts',
    cast: 'as unknown as TerminalCore',
    why: 'a command takes a whole core',
  },
  {
    file: 'test/unit/electron/platform/portaudio/portaudio-device-tables.test.ts',
    cast: 'as Partial<NativeSound> as NativeSound',
    why: 'the device tables use only two functions of the addon: start and stop',
  },
];
