import { clip, extractPhrases } from './phrases.ts';
import type { Reading } from './reading.ts';

const KEPT = 3;
const SHORTEST_SENTENCE = 25;
const MOST_SENTENCES = 120;

/** The sentences of the request's own text that hold most of its frequent words, word for word and in order. */
export function toSummary(reading: Reading): string {
  const sentences = reading.text
    .split(/(?<=[.!?。！？])\s+|\n+/u, MOST_SENTENCES)
    .map((sentence) => sentence.trim())
    .filter(
      (sentence) =>
        sentence.length >= SHORTEST_SENTENCE &&
        !/^(?:please\s+)?(?:can you\s+)?(?:summari[sz]e|condense|shorten|recap|tl;?dr)\b[^:]*:?$/i.test(
          sentence,
        ),
    )
    .map((sentence) =>
      sentence.replace(/^(?:please\s+)?(?:summari[sz]e|condense|shorten|recap)\b[^:]{0,80}:\s*/i, ''),
    );
  const kept = Math.min(reading.count ?? KEPT, 10);
  if (sentences.length <= 1) {
    return `There is no text of several sentences to choose from in “${clip(reading.subject, 120)}”, and a simulation cannot look one up.`;
  }
  const chosen = mostTelling(sentences, kept);
  const found = chosen.length === 1 ? 'The sentence' : `The ${chosen.length} sentences`;
  return `${found} that ${chosen.length === 1 ? 'holds' : 'hold'} most of the text’s frequent words, word for word:\n\n${chosen
    .map((sentence) => `- ${clip(sentence, 300)}`)
    .join('\n')}`;
}

function mostTelling(sentences: readonly string[], count: number): string[] {
  const frequency = new Map<string, number>();
  const wordsOf = (text: string) =>
    extractPhrases(text, 50).flatMap((phrase) => phrase.text.toLowerCase().split(' '));
  const words = sentences.map(wordsOf);
  for (const word of words.flat()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return sentences
    .map((sentence, at) => {
      const own = words[at] ?? [];
      const sum = own.reduce((total, word) => total + (frequency.get(word) ?? 0), 0);
      return { sentence, at, score: sum / Math.sqrt(own.length + 1) };
    })
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map((entry) => entry.sentence);
}
