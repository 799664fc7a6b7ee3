import type { PageMessages } from '../messages.ts';

export const chineseKeys: PageMessages['keys'] = {
  Space: '空格键',
  Control: 'Ctrl 键',
  Alt: 'Alt 键',
  Shift: 'Shift 键',
  Meta: 'Meta 键',
  left: '左 %',
  right: '右 %',
  none: '无按键',
  numpad: '小键盘 %',
};
