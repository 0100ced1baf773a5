import { execFileSync } from 'node:child_process';
import { ERRORS } from '../../src/errors.ts';

const SECTIONS = [
  [
    'caller',
    'The caller’s',
    'Mended by whoever sent the request, started the command or wrote the settings.',
  ],
  ['policy', 'Policy', 'A rule that its owner set forbids the call.'],
  ['upstream', 'The upstream’s', 'What a target did or failed to do.'],
  ['us', 'Ours', 'Tiercel could not do its work.'],
];

const HEAD = `# Errors

Made from \`src/errors.ts\` by \`npm run docs\`; change it there.

Over HTTP an error is \`{"error": {"message", "type", "code", "param"}}\`, as OpenAI's clients expect it. In code it is a
\`TiercelError\` with the same \`code\`. *Again* says whether the same call may succeed later without being changed.
`;

/** docs/errors.md, as the table of codes says it should be, laid out as `npm run format` lays it out. */
export function toErrorsDocument() {
  const sections = SECTIONS.map(([fault, title, meaning]) => {
    const rows = Object.entries(ERRORS)
      .filter(([, entry]) => entry.fault === fault)
      .map(
        ([code, { status, type, retryable, meaning: text }]) =>
          `| \`${code}\` | ${status} | \`${type}\` | ${retryable ? 'yes' : 'no'} | ${text.replaceAll('|', '\\|')} |`,
      );
    return `\n## ${title}\n\n${meaning}\n\n| code | status | type | again | meaning |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return execFileSync('npx', ['biome', 'format', '--stdin-file-path=docs/errors.md'], {
    input: HEAD + sections.join(''),
    encoding: 'utf8',
  });
}
