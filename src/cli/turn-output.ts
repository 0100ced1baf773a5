import type { Conversation, Turn, TurnListener } from './conversation.ts';
import { toReceiptLine } from './format/receipt.ts';
import { tierCell } from './format/tier.ts';
import { note, paintFor, printJson, printPart } from './output.ts';

// What a model writes must not move the cursor, set the title or fill the clipboard of the reader's terminal.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** Asks, prints the answer as it comes, and under it the line that tells who gave it. */
export async function tellTurn(
  conversation: Conversation,
  message: string,
  signal: AbortSignal,
  json: boolean,
): Promise<Turn> {
  const turn = await conversation.ask(message, signal, json ? SILENT : createPrinter());
  const { text, receipt, error } = turn;
  if (json)
    printJson({ text, receipt, ...(error ? { error: { code: error.code, message: error.message } } : {}) });
  else if (text !== '' && !text.endsWith('\n')) printPart('\n');
  const paint = paintFor(process.stderr);
  if (error) note(paint('red', error.code === 'client_closed' ? 'cancelled' : error.message));
  if (receipt) note(toReceiptLine(receipt, paint));
  else if (error) note(paint('red', `${tierCell('failed').text} · ${error.code}`));
  return turn;
}

const SILENT: TurnListener = { text() {}, reasoning() {} };

/** Text to stdout; reasoning, which is no part of the answer, dimmed to stderr where someone watches. */
function createPrinter(): TurnListener {
  const clean = process.stdout.isTTY ? (part: string) => part.replace(CONTROL, '') : (part: string) => part;
  const paint = paintFor(process.stderr);
  let reasons = false;
  return {
    text(part) {
      if (reasons) process.stderr.write('\n');
      reasons = false;
      printPart(clean(part));
    },
    reasoning(part) {
      if (!process.stderr.isTTY) return;
      reasons = true;
      process.stderr.write(paint('dim', part.replace(CONTROL, '')));
    },
  };
}
