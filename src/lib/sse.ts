/** One event of a server-sent event stream. `event` is empty when the stream named none. */
export type SseEvent = { event: string; data: string };

export interface SseParser {
  /** The events that the bytes complete. Bytes may be split anywhere, also inside a UTF-8 character. */
  feed(bytes: Uint8Array): SseEvent[];
}

const LF = 10;
const CR = 13;

/**
 * Parses as the standard says (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream):
 * lines end with LF, CRLF or CR (U+2028 and U+0085 end none), comments and events without data are ignored, several
 * `data` lines are joined with LF, a byte order mark at the start is dropped. What is left when the stream ends is no event.
 *
 * Each character is looked at once: of a line that arrives in pieces only the new piece is searched.
 *
 * @param maxEventChars an event that grows beyond this throws a RangeError, so that a hostile stream cannot fill the memory
 */
export function createSseParser(maxEventChars = 16_777_216): SseParser {
  const decoder = new TextDecoder('utf-8');
  let partial = '';
  let data: string[] = [];
  let dataChars = 0;
  let event = '';
  let skipLineFeed = false;

  function takeLine(line: string, events: SseEvent[]): void {
    if (line === '') {
      if (data.length > 0)
        events.push({ event, data: data.length === 1 ? (data[0] ?? '') : data.join('\n') });
      data = [];
      dataChars = 0;
      event = '';
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1);
    if (field === 'data') {
      data.push(value);
      dataChars += value.length;
    } else if (field === 'event') event = value;
  }

  return {
    feed(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      const events: SseEvent[] = [];
      let start = 0;
      if (skipLineFeed && text.length > 0) {
        if (text.charCodeAt(0) === LF) start = 1;
        skipLineFeed = false;
      }
      let nextCr = text.indexOf('\r', start);
      let nextLf = text.indexOf('\n', start);
      while (nextCr >= 0 || nextLf >= 0) {
        const end = nextCr < 0 || (nextLf >= 0 && nextLf < nextCr) ? nextLf : nextCr;
        takeLine(partial + text.slice(start, end), events);
        partial = '';
        start = end + 1;
        if (text.charCodeAt(end) === CR) {
          if (start === text.length) skipLineFeed = true;
          else if (text.charCodeAt(start) === LF) start += 1;
        }
        if (nextCr >= 0 && nextCr < start) nextCr = text.indexOf('\r', start);
        if (nextLf >= 0 && nextLf < start) nextLf = text.indexOf('\n', start);
      }
      partial += text.slice(start);
      if (partial.length + dataChars > maxEventChars)
        throw new RangeError('An event of the stream is too large.');
      return events;
    },
  };
}

/** One event that carries `data`, which must hold no line ends; JSON.stringify gives none. */
export function encodeSseData(data: string): string {
  return `data: ${data}\n\n`;
}

/** A comment that keeps a connection awake. A single LF: no blank line, so that no client takes it for an empty event. */
export function encodeSseComment(text: string): string {
  return `: ${text}\n`;
}
