/**
 * Casts in tests that stand until the product takes less than the whole of what they play a part of.
 * It is a short list, and it gets shorter.
 * @type {readonly { readonly file: string, readonly cast: string, readonly why: string }[]}
 */
export const allowedCasts = [
  {
    file: 'test/fakes/fake-bridge.ts',
    cast: 'as never',
    why: 'one answer for whichever request is asked: which, only the compiler of the asker knows',
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
    why: 'one refusal under every name of the contract, which are made at run time',
  },
  {
    file: 'test/unit/electron/hosts/desktop/desktop-windows-stage.ts',
    cast: 'as unknown as Deps',
    why: 'joining a window takes one of Electron',
  },
  {
    file: 'test/unit/electron/app/ipc/window-ipc.test.ts',
    cast: 'as unknown as Parameters<Join>[0]',
    why: 'the same window, at the ipc itself',
  },
  {
    file: 'test/unit/electron/hosts/terminal/commands/talk-command-harness.ts',
    cast: 'as unknown as TerminalCore',
    why: 'a command takes a whole core',
  },
  {
    file: 'test/unit/electron/platform/portaudio/portaudio-device-tables.test.ts',
    cast: 'as Partial<NativeSound> as NativeSound',
    why: 'of the whole addon, tables of devices only start and stop copies',
  },
];
