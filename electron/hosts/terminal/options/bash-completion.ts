import type { CommandSpec, OptionSpec } from './command-spec.ts';

/** What completes a word of the command line after `parley` in bash. */
export function bashCompletion(specs: readonly CommandSpec[]): string {
  return `# bash completion for parley: source <(parley completion bash)
_parley() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} options='' words=''
  # --option=value comes as three words.
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${namesOf(specs)} --help --version' -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]} $prev" in
${specs.flatMap(valueCases).join('\n')}
  esac
  case \${COMP_WORDS[1]} in
${specs.map(commandCase).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ $words == files ]]; then
    compopt -o default
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _parley parley
`;
}

function namesOf(specs: readonly CommandSpec[]): string {
  return specs.map(({ name }) => name).join(' ');
}

function valueCases({ name, options }: CommandSpec): readonly string[] {
  return Object.entries(options)
    .filter(([, { value, alone }]) => value !== undefined && alone !== true)
    .map(([option, spec]) => `    '${name} --${option}') ${offer(spec)} ;;`);
}

function offer({ choices, file }: OptionSpec): string {
  if (choices !== undefined) {
    return `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); return`;
  }
  return file === true ? 'compopt -o default; return' : 'return';
}

function commandCase({ name, options, word, object }: CommandSpec): string {
  const all = [...Object.keys(options), 'help'].map((option) => `--${option}`).join(' ');
  const words = typeof word?.about === 'object' ? Object.keys(word.about).join(' ') : '';
  const then = object?.file === true ? ' && ((COMP_CWORD > 2)) && words=files' : '';
  return `    ${name}) options='${all}' words='${word?.file === true ? 'files' : words}'${then} ;;`;
}
