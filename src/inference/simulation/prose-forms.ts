import { capitalized, clip, named } from './phrases.ts';
import type { Random } from './random.ts';
import type { Reading } from './reading.ts';

/** The first thing that the request names, and the last of its first few that has an article: "the launch" and "the bike repair shop". */
function things(reading: Reading): { first: string; main: string; one: boolean } {
  const [head] = reading.phrases;
  const tail = reading.phrases.slice(0, 4).findLast((phrase) => phrase.article !== null) ?? head;
  const first = head ? named(head) : 'this';
  return { first, main: tail ? named(tail) : first, one: head === tail };
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
}

function bulleted(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

export function toPlan(reading: Reading, random: Random): string {
  const { first, main, one } = things(reading);
  const steps = [
    one
      ? `Aim. Write down in one sentence what ${first} should achieve, and the number that will show it.`
      : random.pick([
          `Aim. Write down in one sentence what ${first} should change for ${main}, and the number that will show it.`,
          `Aim. Agree on the one result of ${first} that matters most to ${main}, and on how it will be measured.`,
        ]),
    random.pick([
      `People. Name who ${first} is for, and ask five of them what they expect.`,
      `People. Name who decides about ${first}, who does the work, and who will notice the result.`,
    ]),
    random.pick([
      `Scope. List what has to be ready on the first day; put everything else on a second list.`,
      `Scope. Choose the smallest version of ${first} that is still worth doing, and leave out the rest.`,
    ]),
    givenFigures(reading),
    random.pick([
      'Trial. Try it once on a small scale, and note everything that goes wrong.',
      'Trial. Run through it with a few friendly people a week before, from beginning to end.',
    ]),
    `Review. Afterwards, hold the result against the sentence from step 1 and decide what to keep.`,
  ];
  return `An outline for ${quoted(reading)}, from the words of the request alone:\n\n${numbered(steps)}`;
}

/** What the request says of dates and numbers, or that it says nothing. */
function givenFigures(reading: Reading): string {
  const figures = [...reading.dates, ...reading.numbers.map(String)].slice(0, 4);
  if (figures.length === 0) return 'Limits. Set a date and a budget; the request names neither.';
  return `Limits. The request gives ${figures.join(', ')}; check each against what the steps above will take.`;
}

function quoted(reading: Reading): string {
  return `“${clip(reading.subject, 100)}”`;
}

const ANGLES: readonly ((thing: string) => string)[] = [
  (thing) => `The first-timer: what someone new to ${thing} needs to know.`,
  (thing) => `The regular: what would bring people back to ${thing}.`,
  (thing) => `The smallest version: ${thing} with everything left out that can be.`,
  (thing) => `The opposite: ${thing} as its sharpest critic would describe it.`,
  (thing) => `The number: one figure about ${thing} that is worth watching.`,
  (thing) => `The season: what is different about ${thing} in winter and in summer.`,
  (thing) => `The partner: who could share the work on ${thing}.`,
  (thing) => `The story: how ${thing} came about, in three sentences.`,
  (thing) => `The trial: ${thing} for one day, with five people.`,
  (thing) => `The cost: what ${thing} could do without.`,
  (thing) => `The surprise: what nobody expects from ${thing}.`,
  (thing) => `The long view: what should be left of ${thing} in ten years.`,
];

export function toList(reading: Reading, random: Random): string {
  const count = Math.max(1, Math.min(reading.count ?? 5, ANGLES.length));
  const { main } = things(reading);
  const start = random.below(ANGLES.length);
  const lines = Array.from(
    { length: count },
    (_, i) => (ANGLES[(start + i) % ANGLES.length] ?? ANGLES[0])?.(main) ?? '',
  );
  const head =
    count === 1
      ? 'One starting point'
      : reading.count !== null && count < reading.count
        ? `${count} starting points, the most that simulation has,`
        : `${count} starting points`;
  return `${head} for ${main}. They are angles to think from, not facts:\n\n${numbered(lines)}`;
}

export function toComparison(reading: Reading, random: Random): string {
  const found =
    /^(?:.*\bbetween\s+)?(.{2,60}?)\s+(?:and|versus|vs\.?|with|to)\s+(.{2,60}?)(?:\s+(?:for|in|when|on|as)\s.*)?$/i.exec(
      reading.subject,
    );
  const left = found?.[1] ?? reading.phrases[0]?.text ?? 'the first';
  const right = found?.[2] ?? reading.phrases[1]?.text ?? 'the second';
  const criteria = [
    'Purpose: what is each of them best at?',
    'Cost: what does each take in money, time and attention over a year?',
    random.pick([
      'Effort: how long until each is of use?',
      'Habit: which of them fits what is already there?',
    ]),
    random.pick([
      'Risk: what happens when it fails?',
      'Way back: how hard is it to change to the other later?',
    ]),
    'Evidence: who has used both, and what do they say?',
  ];
  return `A frame for comparing “${left}” with “${right}”. Which is better is not decided here; answer each line for both:\n\n${bulleted(criteria)}`;
}

export function toExplanation(reading: Reading, random: Random): string {
  const { first } = things(reading);
  const lines = [
    `One plain sentence: what ${first} is, and what it is not.`,
    random.pick([
      `An example from daily life in which ${first} shows.`,
      `A picture or a comparison that makes ${first} easy to remember.`,
    ]),
    `How it works, in three steps at the most.`,
    random.pick([
      'The usual misunderstanding, and why it is wrong.',
      'Where the explanation stops being exact.',
    ]),
    'Where to read on.',
  ];
  return `A simulation knows no facts about ${first}, so it explains nothing. An explanation of ${quoted(reading)} could go in this order:\n\n${numbered(lines)}`;
}

export function toQuestion(reading: Reading, random: Random): string {
  const lead = `A simulation knows no facts, so the question “${clip(reading.subject, 140)}?” stays open.`;
  const names = reading.phrases.slice(0, 3).map((phrase) => `“${phrase.text}”`);
  const word = /^\w+/.exec(reading.subject)?.[0]?.toLowerCase() ?? '';
  const lines = [
    ...(names.length > 0
      ? [`Say what is meant by ${names.join(', ').replace(/, ([^,]+)$/, ' and $1')}.`]
      : []),
    ...(BY_QUESTION.find(([words]) => words.includes(word))?.[1] ?? [
      'Collect the strongest reason for yes and the strongest for no.',
      'Name the one observation that would settle it.',
    ]),
    random.pick([
      'Ask someone who has had to decide this before.',
      'Check the answer against one case that is already known.',
    ]),
  ];
  return `${lead} A good answer would:\n\n${bulleted(lines)}`;
}

const BY_QUESTION: readonly (readonly [words: readonly string[], lines: readonly string[]])[] = [
  [
    ['why'],
    [
      'Separate the cause from what merely happens at the same time.',
      'Name the cause that, once removed, would remove the effect.',
    ],
  ],
  [
    ['how'],
    [
      'Begin with what has to be there before the first step.',
      'Give the steps in order, each with a sign that it worked.',
    ],
  ],
  [
    ['when', 'where', 'who', 'whom', 'whose'],
    ['Give the fact in its first sentence.', 'Name the source, and the date at which it was true.'],
  ],
  [
    ['what', 'which'],
    [
      'Give the answer in its first sentence, and the exceptions after it.',
      'Name the source for each figure.',
    ],
  ],
];

export function toDraft(reading: Reading, random: Random): string {
  const found = /\b(?:about|on|regarding|describing|for|of)\s+(.{3,80})$/i.exec(reading.subject);
  const topic = found?.[1] ?? reading.subject;
  if (/\b(?:e-?mail|letter|message|memo)\b/i.test(reading.subject)) {
    return [
      'A draft with the gaps marked:',
      `Subject: ${capitalized(clip(topic, 70))}`,
      'Hello,',
      `I am writing about ${topic}. [Say what has happened, and since when.]`,
      random.pick([
        '[Say what you ask for, and by what date.]',
        '[Say what you propose, and what the reader has to decide.]',
      ]),
      'Thank you,\n[name]',
    ].join('\n\n');
  }
  const { main } = things(reading);
  const text = [
    random.pick([
      `It begins on an ordinary morning, with ${main} and nothing else on the list.`,
      `At first there is only ${main}, and someone who looks twice.`,
    ]),
    random.pick([
      'Somebody asks a question that nobody has asked before. [Which one?]',
      'Then one small thing goes wrong. [What?]',
    ]),
    random.pick([
      `By evening ${main} is the same, and is seen with other eyes.`,
      `In the end the answer was there from the start: ${main}.`,
    ]),
  ];
  return `A skeleton for ${quoted(reading)}, with the gaps marked:\n\n${text.join('\n')}`;
}
