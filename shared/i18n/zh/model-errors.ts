import type { englishModelErrors } from '../en/model-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseModelErrors: MessageTree<typeof englishModelErrors> = {
  // The program that runs the model.
  modelProgramMissing: '没有找到 llama-omni-server。请选择它的文件，或者先编译安装。',
  pathNotChosen: '请在系统的窗口中选择。',
  modelProgramGone: '{{path}} 不存在。请重新选择 llama-omni-server。',
  modelProgramNotExecutable: '{{path}} 无法运行。请给它加上可执行权限，或者换一个文件。',
  modelProgramForeign: '{{path}} 不是这台电脑能用的 llama-omni-server。请换一个文件。',
  modelProgramOld: '{{path}} 的版本太旧。请编译最新的 llama-omni-server。',
  modelLibraryMissing: '运行模型的程序缺少 {{name}}。请先安装它，再启动模型。',
  modelProcessorOld: '运行模型的程序是为其他处理器编译的。请在这台电脑上重新编译。',
  modelElsewhere: '这台电脑上另一个 Parley 正在运行模型。请先关闭它。',
  modelStopped: '模型已停止。开始通话或聊天，就会重新加载。',
  // It ends or hangs.
  modelKilled: '系统结束了模型，可能是内存不足。请关闭其他程序，然后重试。',
  modelCardMemory: '显存不足，无法运行模型。请关闭其他占用显卡的程序，然后重试。',
  modelMemory: '内存不足，无法运行模型。请关闭其他程序，然后重试。',
  modelNoCard: '运行模型的程序无法使用显卡。请检查显卡驱动。',
  modelPortTaken: '模型的端口一再被其他程序占用。请重试。',
  modelTemporaryFull: '{{path}} 的空间已满。请腾出一些空间，然后重试。',
  modelFileUnreadable: '模型文件 {{name}} 缺失或已损坏。请校验模型文件。',
  modelSilent: '模型 {{seconds}} 秒没有响应。请重试。',
  modelExited: '运行模型的程序已停止。最后的输出：{{line}}',
  modelTooSlow:
    '模型在这台电脑上太慢，不能通话：处理每段声音用时 {{p90Ms}} 毫秒，上限是 {{limitMs}} 毫秒。只能聊天。',
  modelCrashLoop: '模型启动了 {{times}} 次，每次都意外停止。',
  // The model's files.
  modelSpace:
    '{{folder}} 需要 {{neededGb}} GB 空间来存放模型，目前只剩 {{freeGb}} GB。请腾出空间，或者换一个文件夹。',
  modelDiskFull: '{{folder}} 所在的磁盘已满。请腾出 {{neededGb}} GB 后继续，已下载的部分会保留。',
  modelFilesMissing: '{{folder}} 中缺少模型文件：{{names}}。请换一个文件夹，或者下载模型。',
  modelFileSize: '{{folder}} 中的 {{name}} 大小不对。请删除后重新下载。',
  modelFileChanged: '{{folder}} 中的 {{name}} 已损坏或内容有变。请删除后重新下载。',
  modelFolderForeign: 'Parley 只删除自己下载的文件。如果不再需要 {{folder}}，请自行删除。',
  modelFolderBusy: '另一个 Parley 正在向 {{folder}} 下载。请等它完成，或者先关闭它。',
  modelFilesBusy: '模型文件正在使用中。请等下载或校验结束。',
  // The mirrors that serve them.
  modelMirrorAway: '无法连接 {{host}}。请检查网络后继续，已下载的部分会保留。',
  modelMirrorSlow: '{{host}} 没有发来数据。请检查网络后继续，已下载的部分会保留。',
  modelMirrorRefuses:
    '{{host}} 拒绝提供模型文件（HTTP {{status}}）。请稍后重试，或者换一个下载来源。',
  modelMirrorRedirects: '{{host}} 把下载转到了 Parley 不使用的地址。请换一个下载来源。',
  modelMirrorUntrusted: '{{host}} 的证书无效。请检查网络、代理和电脑的日期。',
  modelMirrorAlters: '{{host}} 发来的 {{name}} 与模型不符，已删除。请换一个下载来源。',
  modelMirrorsAlter: '所有下载来源发来的 {{name}} 都与模型不符，已删除。请检查网络和代理。',
};
