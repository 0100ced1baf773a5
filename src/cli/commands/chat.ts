import type { Command } from 'commander';
import type { Backend } from '../backend/backend.ts';
import { withBackend } from '../backend/session.ts';
import { converse } from '../chat-terminal.ts';
import { Conversation } from '../conversation.ts';
import { type LocationOptions, withLocation } from '../location.ts';
import { note } from '../output.ts';
import { tellTurn } from '../turn-output.ts';

type ChatOptions = LocationOptions & { model: string; system?: string; json?: boolean };

export function addChat(program: Command): void {
  withLocation(program.command('chat [message...]'))
    .description('talk to any role or deployment; under each answer stands who gave it')
    .option('--model <name>', 'auto, role:<name>, a deployment’s id, or simulation', 'auto')
    .option('--system <text>', 'what the model is told before the conversation')
    .option('--json', 'print each answer as JSON, with its receipt')
    .addHelpText('after', HELP)
    .action(chat);
}

const HELP = `
With a message, or with text on stdin, it answers once and exits: 0 when the answer is whole, else 1.
The answer goes to stdout, the line about it to stderr.

Examples:
  $ tiercel chat
  $ tiercel chat --model role:narrator "Tell me about the bridge"
  $ git diff | tiercel chat --system "Review this change"`;

function chat(words: string[], { model, system, json = false, ...location }: ChatOptions): Promise<void> {
  return withBackend(location, async (backend) => {
    const conversation = new Conversation(backend, model, system);
    const message = words.length > 0 ? words.join(' ') : process.stdin.isTTY ? undefined : await readInput();
    if (message === undefined) {
      await greet(backend, model);
      await converse(conversation, backend, { json });
      return;
    }
    const cancel = new AbortController();
    process.once('SIGINT', () => cancel.abort());
    const { error } = await tellTurn(conversation, message, cancel.signal, json);
    if (error) process.exitCode = 1;
  });
}

async function greet(backend: Backend, model: string): Promise<void> {
  const { label } = await backend.plan(model);
  const where = backend.server
    ? `the server at ${backend.server}`
    : 'this process; the data folder is in use by it';
  note(`Talking to ${model} (${label}) through ${where}. /help lists commands.`);
}

async function readInput(): Promise<string> {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) text += String(part);
  return text.trim();
}
