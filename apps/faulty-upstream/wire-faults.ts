import { UNICODE_TEXT } from './answers.ts';
import {
  answer,
  type Behaviour,
  type BehaviourTable,
  finish,
  framesOf,
  numberArgument,
  numberInName,
  okReply,
  wholeBody,
} from './behaviour.ts';
import { errorBody, type Frames, inOrder, sseEvent, textReply } from './chunks.ts';
import { type Exchange, JSON_BODY, SSE } from './exchange.ts';

const MID_STREAM_ERROR = errorBody(
  'You exceeded your current quota.',
  'insufficient_quota',
  'insufficient_quota',
);
const HEADER_TRICKLE_MS = 200;

/** Good content that comes late, oddly framed, or not to its end. Not streamed, most cut or delay the JSON body. */
export const WIRE_FAULTS: BehaviourTable = {
  hang: { meaning: 'accepts the request and never answers', play: (exchange) => exchange.hang() },
  reset: { meaning: 'resets the connection instead of answering', play: (exchange) => exchange.reset() },
  'slow-{200}ms': {
    meaning: 'ok after this long',
    play: async (exchange) => {
      await exchange.pause(numberInName(exchange));
      await answer(exchange, okReply());
    },
  },
  'slow-headers': {
    meaning: 'the header trickles for 3 s, line by line, then ok; slow-headers/8000 for 8 s',
    play: trickleHeader,
  },
  'late-first-token': {
    meaning: 'header and role at once, the first text after 3 s; late-first-token/8000 for 8 s',
    play: async (exchange) => {
      const { role, content, finish: last, usage, done } = framesOf(exchange);
      exchange.begin(exchange.streaming ? SSE : JSON_BODY);
      if (exchange.streaming) await exchange.raw(role);
      await exchange.pause(numberArgument(exchange, 3000));
      await writeAll(exchange, exchange.streaming ? [...content, last, usage, done] : [wholeBody(exchange)]);
    },
  },
  'drip-{50}ms': {
    meaning: 'a stream with this pause before each piece; drip-50ms/200 for 200 pieces',
    play: async (exchange) => {
      const reply = okReply(numberArgument(exchange, 20));
      if (!exchange.streaming) return answer(exchange, reply);
      const frames = framesOf(exchange, reply);
      exchange.begin(SSE);
      await exchange.raw(frames.role);
      for (const frame of frames.content) {
        await exchange.pause(numberInName(exchange));
        await exchange.raw(frame);
      }
      await finish(exchange, frames);
    },
  },
  'cut-after-{40}': {
    meaning: 'this many pieces of text, then the connection is destroyed',
    play: async (exchange) => {
      await partOfAnswer(exchange, numberInName(exchange));
      exchange.destroy();
    },
  },
  'cut-mid-line': {
    meaning: 'the connection dies in the middle of a data line',
    play: async (exchange) => {
      await partOfAnswer(exchange, 5);
      const next = framesOf(exchange).content[5] ?? '';
      if (exchange.streaming) await exchange.raw(next.slice(0, next.length / 2));
      exchange.destroy();
    },
  },
  'stall-after-{20}': {
    meaning: 'this many pieces of text, then silence',
    play: async (exchange) => {
      await partOfAnswer(exchange, numberInName(exchange));
      await exchange.hang();
    },
  },
  'role-then-error': {
    meaning: 'HTTP 200, a role-only chunk, then an error event (insufficient_quota)',
    play: (exchange) => errorAfter(exchange, 0),
  },
  'error-after-{5}': {
    meaning: 'this many pieces of text, then an error event',
    play: (exchange) => errorAfter(exchange, numberInName(exchange)),
  },
  pings: reframed('comments and blocks of only id: or retry: between the events', (event, at) => [
    ': ping\n\n',
    at % 2 === 0 ? 'id: 7\n\n' : 'retry: 3000\n\n',
    event,
  ]),
  crlf: reframed('lines end with CRLF', (event) => [event.replaceAll('\n', '\r\n')]),
  cr: reframed('lines end with a lone CR', (event) => [event.replaceAll('\n', '\r')]),
  'crlf-split': reframed('CRLF, each split over two TCP writes', (event) => [
    event.slice(0, -2),
    '\r',
    '\n\r',
    '\n',
  ]),
  'multi-line-data': reframed('the JSON of each event over several data lines', (event) => [
    event.replace(/^data: \{(.*)\}\n\n$/s, 'data: {\ndata:$1\ndata: }\n\n'),
  ]),
  'byte-by-byte': {
    meaning: 'emoji and CJK, one byte per TCP write',
    play: async (exchange) => {
      const reply = textReply([UNICODE_TEXT]);
      if (!exchange.streaming) return answer(exchange, reply);
      exchange.begin(SSE);
      for (const byte of Buffer.from(inOrder(framesOf(exchange, reply)).join(''))) {
        await exchange.raw(Buffer.of(byte));
      }
      exchange.end();
    },
  },
  'no-done': {
    meaning: 'a finish reason, then a clean end without [DONE]',
    play: (exchange) =>
      playStream(exchange, ({ role, content, finish: last, usage }) => [role, ...content, last, usage]),
  },
  'no-finish': {
    meaning: 'text, then a clean end without finish reason and [DONE]: a cut that looks polite',
    play: (exchange) => playStream(exchange, ({ role, content }) => [role, ...content]),
  },
  'malformed-event': {
    meaning: 'one event in the middle is not JSON',
    play: (exchange) =>
      playStream(exchange, ({ role, content, finish: last, usage, done }) => [
        role,
        ...content.slice(0, 5),
        'data: {"choices":[{"delta":{"content":"los\n\n',
        ...content.slice(5),
        last,
        usage,
        done,
      ]),
  },
  'truncated-json': {
    meaning: 'a JSON body that ends in its middle, though HTTP says it is whole',
    play: (exchange) => {
      const body = wholeBody(exchange);
      exchange.send(200, 'application/json', body.slice(0, body.length / 2));
    },
  },
  'empty-stream': {
    meaning: 'the header of a stream, then a clean end',
    play: (exchange) => {
      exchange.begin(SSE);
      exchange.end();
    },
  },
  'json-for-stream': {
    meaning: 'a whole JSON answer even when a stream was asked for',
    play: (exchange) => exchange.send(200, 'application/json', wholeBody(exchange)),
  },
};

/** `ok` with each event passed through `frame`; every piece returned is one TCP write. */
function reframed(meaning: string, frame: (event: string, at: number) => readonly string[]): Behaviour {
  return {
    meaning,
    play: (exchange) => playStream(exchange, (frames) => inOrder(frames).flatMap(frame)),
  };
}

/** A stream of the chosen writes, ended cleanly; a plain `ok` to a caller who wants no stream. */
async function playStream(exchange: Exchange, choose: (frames: Frames) => readonly string[]): Promise<void> {
  if (!exchange.streaming) return answer(exchange, okReply());
  exchange.begin(SSE);
  await writeAll(exchange, choose(framesOf(exchange)));
}

async function writeAll(exchange: Exchange, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) await exchange.raw(piece);
  exchange.end();
}

/** The role and `count` pieces of a longer answer, or half of a JSON body whose length was promised. */
async function partOfAnswer(exchange: Exchange, count: number): Promise<void> {
  if (!exchange.streaming) {
    const body = wholeBody(exchange);
    exchange.begin({ ...JSON_BODY, 'content-length': Buffer.byteLength(body) });
    return exchange.raw(body.slice(0, body.length / 2));
  }
  const { role, content } = framesOf(exchange, okReply(count + 20));
  exchange.begin(SSE);
  for (const frame of [role, ...content.slice(0, count)]) await exchange.raw(frame);
}

async function errorAfter(exchange: Exchange, count: number): Promise<void> {
  if (!exchange.streaming) return exchange.json(200, MID_STREAM_ERROR);
  await partOfAnswer(exchange, count);
  await exchange.raw(sseEvent(MID_STREAM_ERROR));
  exchange.end();
}

/** Past node's HTTP layer, which sends a header only when it is whole. */
async function trickleHeader(exchange: Exchange): Promise<void> {
  const body = exchange.streaming ? inOrder(framesOf(exchange)).join('') : wholeBody(exchange);
  const type = (exchange.streaming ? SSE : JSON_BODY)['content-type'];
  const lines = Math.ceil(numberArgument(exchange, 3000) / HEADER_TRICKLE_MS);
  await exchange.socketRaw(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nconnection: close\r\n`);
  for (let line = 1; line <= lines; line += 1) {
    await exchange.pause(HEADER_TRICKLE_MS);
    await exchange.socketRaw(`x-trickle-${line}: ${line}\r\n`);
  }
  await exchange.socketRaw(`content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  exchange.destroy();
}
