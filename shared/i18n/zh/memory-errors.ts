import type { englishMemoryErrors } from '../en/memory-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseMemoryErrors: MessageTree<typeof englishMemoryErrors> = {
  memoryEmpty: '还没有内容。请写一句话。',
  memoryLong: '这句话太长了，最多 {{most}} 个字符。',
  memoryMany: 'Parley 最多记住 {{most}} 句话。请先删除一句。',
  memoryListFull: 'Parley 对你的了解已经记满。请先缩短、关闭或删除一句。',
  memoryKnown: '这句话 Parley 已经记住了。',
  memoryGone: '这句话已经不在记忆里了。',
  memoryUnread: '无法读取记忆。',
  memoryPutAside: '记忆有一部分损坏了。原来的文件保存在 {{path}}。',
  memoryNewer: '记忆是较新版本的 Parley 保存的。请更新 Parley 再使用。',
  memoryUnkept: '记忆没有更改。',
};
