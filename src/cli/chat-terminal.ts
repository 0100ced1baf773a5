import { createInterface } from 'node:readline';
import { TiercelError } from '../errors.ts';
import type { Backend } from './backend/backend.ts';
import type { Conversation } from './conversation.ts';
import { note } from './output.ts';
import { tellTurn } from './turn-output.ts';

const HELP = `/model <name>  talk to auto, role:<name>, a deployment’s id, or simulation
/clear         forget the conversation
/exit          leave
Ctrl-C cancels an answer; on an empty line, pressed twice, it leaves.`;

export type TerminalOptions = {
  json: boolean;
  /** The process's own unless given. */
  input?: NodeJS.ReadableStream;
  output?: NodeJS.WritableStream;
};

/**
 * A conversation on a terminal until its user leaves. Two states: waiting for a line, and answering, when `answering` can be
 * aborted. Ctrl-C aborts in the one and leaves, at the second time, in the other.
 */
export async function converse(
  conversation: Conversation,
  backend: Pick<Backend, 'plan'>,
  { json, ...streams }: TerminalOptions,
): Promise<void> {
  const { input = process.stdin, output = process.stderr } = streams;
  const lines = createInterface({ input, output, terminal: true, prompt: '› ' });
  let answering: AbortController | null = null;
  let leaving = false;
  lines.on('SIGINT', () => {
    if (answering) {
      answering.abort();
      return;
    }
    if (leaving) {
      lines.close();
      return;
    }
    leaving = true;
    note('\nCtrl-C again leaves.');
    lines.prompt();
  });
  lines.prompt();
  for await (const line of lines) {
    leaving = false;
    const text = line.trim();
    if (text === '/exit') break;
    if (text.startsWith('/')) note(await obey(text, conversation, backend));
    else if (text !== '') {
      answering = new AbortController();
      await tellTurn(conversation, text, answering.signal, json);
      answering = null;
    }
    lines.prompt();
  }
}

/** Does what a command says. Returns what to tell about it. */
async function obey(
  line: string,
  conversation: Conversation,
  backend: Pick<Backend, 'plan'>,
): Promise<string> {
  const [command, argument = ''] = line.split(/\s+/, 2);
  switch (command) {
    case '/clear':
      conversation.clear();
      return 'The conversation is forgotten.';
    case '/model':
      return changeModel(argument, conversation, backend);
    case '/help':
      return HELP;
    default:
      return `There is no command ${command}.\n${HELP}`;
  }
}

async function changeModel(
  name: string,
  conversation: Conversation,
  backend: Pick<Backend, 'plan'>,
): Promise<string> {
  if (name === '') return `Talking to ${conversation.model}.`;
  try {
    const { label } = await backend.plan(name);
    conversation.model = name;
    return `Talking to ${name} (${label}).`;
  } catch (error) {
    if (error instanceof TiercelError) return error.message;
    throw error;
  }
}
