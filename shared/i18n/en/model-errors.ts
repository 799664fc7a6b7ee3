/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishModelErrors = {
  // The program that runs the model.
  modelProgramMissing:
    'llama-omni-server is not installed, or Parley can’t find it. Choose its file, or build it.',
  pathNotChosen: 'Choose it in the system’s dialog.',
  modelProgramGone: 'There is no program at {{path}}. Choose llama-omni-server again.',
  modelProgramNotExecutable: '{{path}} can’t be run. Make it executable, or choose another file.',
  modelProgramForeign: '{{path}} is not llama-omni-server for this computer. Choose another file.',
  modelProgramOld: '{{path}} is too old for Parley. Build the newest llama-omni-server.',
  modelLibraryMissing: 'The model’s program needs {{name}}. Install it, and start the model again.',
  modelProcessorOld:
    'The model’s program was built for another processor. Build it on this computer.',
  modelElsewhere: 'Another Parley on this computer runs the model. Close it first.',
  modelStopped: 'The model was stopped. Start a talk or a chat to load it again.',
  // It ends or hangs.
  modelKilled:
    'The system ended the model, probably for lack of memory. Close other programs and try again.',
  modelCardMemory:
    'The graphics card has too little free memory for the model. Close other programs that use it.',
  modelMemory: 'There is too little free memory for the model. Close other programs and try again.',
  modelNoCard: 'The model’s program can’t use the graphics card. Check the card’s driver.',
  modelPortTaken: 'Another program keeps taking the model’s port. Try again.',
  modelTemporaryFull: 'There is no room left in {{path}}. Free some space and try again.',
  modelFileUnreadable: 'The model’s file {{name}} is missing or damaged. Verify the model’s files.',
  modelSilent: 'The model did not answer for {{seconds}} seconds. Try again.',
  modelExited: 'The model’s program stopped. Its last output: {{line}}',
  modelCrashLoop: 'The model was started {{times}} times and stopped each time.',
  modelTooSlow:
    'The model is too slow for talks here: {{p90Ms}} ms a step, and {{limitMs}} ms would do. Chat works.',
  // The model's files.
  modelSpace:
    'The model needs {{neededGb}} GB in {{folder}}, and {{freeGb}} GB are free. Free some space or choose another folder.',
  modelDiskFull:
    'The disk of {{folder}} is full. Free {{neededGb}} GB and go on: what has come so far is kept.',
  modelFilesMissing:
    '{{folder}} lacks files of the model: {{names}}. Choose another folder or download the model.',
  modelFileSize:
    '{{name}} in {{folder}} does not have the size of the model’s file. Delete it and download it again.',
  modelFileChanged:
    '{{name}} in {{folder}} is damaged or was changed. Delete it and download it again.',
  modelFolderForeign:
    'Parley only deletes files that it has downloaded. Delete {{folder}} yourself if you no longer need it.',
  modelFolderBusy: 'Another Parley is downloading into {{folder}}. Wait for it or close it.',
  modelFilesBusy: 'The model’s files are in use. Wait until the download or the check is over.',
  // The mirrors that serve them.
  modelMirrorAway:
    '{{host}} can’t be reached. Check the network and go on: what has come so far is kept.',
  modelMirrorSlow:
    '{{host}} sends nothing. Check the network and go on: what has come so far is kept.',
  modelMirrorRefuses:
    '{{host}} refuses the model’s file (HTTP {{status}}). Try again later or choose the other mirror.',
  modelMirrorRedirects:
    '{{host}} sends the download on to an address that Parley does not use. Choose the other mirror.',
  modelMirrorUntrusted:
    'The certificate of {{host}} is not valid. Check the network, the proxy and the computer’s date.',
  modelMirrorAlters:
    '{{host}} sent a {{name}} that is not the model’s, so Parley deleted it. Choose the other mirror.',
  modelMirrorsAlter:
    'Every mirror sent a {{name}} that is not the model’s, so Parley deleted it. Check the network and the proxy.',
};
