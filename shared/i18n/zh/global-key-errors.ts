import type { englishGlobalKeyErrors } from '../en/global-key-errors.ts';

export const chineseGlobalKeyErrors: Readonly<Record<keyof typeof englishGlobalKeyErrors, string>> =
  {
    globalKeyUnknown: '这个按键在其他程序里接收不到，请另选一个。',
    globalKeyTaken: '这个按键已被其他程序占用，请另选一个，或者在那个程序里取消它。',
    globalKeyAlone:
      '选了这个按键，其他程序就收不到它了。请与 Ctrl 或 Alt 组合使用，或者选择 F1 到 F24。',
    globalKeyForbidden: '系统不允许 Parley 接收其他程序里的按键，请在系统设置的“辅助功能”中允许。',
    globalKeyHelperFailed:
      'Parley 中负责接收其他程序里按键的部分无法启动，请改为在系统的键盘设置里把按键绑定到“parley ptt toggle”。',
    globalKeyPortalMissing:
      '这个桌面不向程序提供全局按键，请在桌面的键盘设置里把按键绑定到“parley ptt toggle”。',
    globalKeyPortalRefused:
      '桌面没有把这个按键交给 Parley，请在它询问时允许，或在它的键盘设置里允许。',
  };
