/** The one place that writes: what was asked for goes to stdout, everything said about it to stderr. */

/** A line on stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A part of a line on stdout, as it comes. */
export function printPart(text: string): void {
  process.stdout.write(text);
}

/** A line on stderr: progress, notes, errors. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** `value` as indented JSON on stdout. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;

export type Style = keyof typeof STYLES;
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;

/** Colours for a stream: none unless it is a terminal, and none when NO_COLOR is set (https://no-color.org). */
export function paintFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Paint {
  if (!stream.isTTY || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return plain;
  return (style, text) => `\u001B[${STYLES[style]}m${text}\u001B[0m`;
}
