import type { englishModelErrors } from '../en/model-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseModelErrors: MessageTree<typeof englishModelErrors> = {
  // The program that runs the model.
  modelProgramMissing: '没有找到 llama-omni-server。请选择它的文件，或者先编译安装。',
  modelProgramGone: '{{path}} 不存在，请重新选择 llama-omni-server。',
  modelProgramNotExecutable: '{{path}} 无法运行。请给它加上可执行权限，或者另选文件。',
  modelProgramForeign: '{{path}} 不是这台电脑能用的 llama-omni-server，请另选文件。',
  modelProgramOld: '{{path}} 的版本太旧，请编译最新的 llama-omni-server。',
  modelLibraryMissing: '运行模型的程序缺少 {{name}}。请先安装它，再启动模型。',
  modelProcessorOld: '运行模型的程序是为其他处理器编译的，请在这台电脑上重新编译。',
  modelElsewhere: '这台电脑上另一个 Parley 正在运行模型，请先关闭它。',
  modelStopped: '模型已停止。开始通话或聊天，就会重新加载。',
  // It ends or hangs.
  modelKilled: '系统结束了模型，可能是内存不足。请关闭其他程序，然后重试。',
  modelCardMemory: '显存不足，无法运行模型。请关闭其他占用显卡的程序，然后重试。',
  modelMemory: '内存不足，无法运行模型。请关闭其他程序，然后重试。',
  modelNoCard: '运行模型的程序无法使用显卡，请检查显卡驱动。',
  modelPortTaken: '模型的端口一再被其他程序占用，请重试。',
  modelTemporaryFull: '{{path}} 的空间已满。请腾出一些空间，然后重试。',
  modelFileUnreadable: '模型文件 {{name}} 缺失或已损坏，请校验模型文件。',
  modelSilent: '模型 {{seconds}} 秒没有响应，请重试。',
  modelExited: '运行模型的程序已停止，最后的输出是：“{{line}}”',
  modelCrashLoop: '模型启动了 {{times}} 次，每次都意外停止。',
};
