import { listBehaviours } from './grammar.ts';

/** How to use the server at this address: every behaviour in a line, a call to copy, a configuration to copy. */
export function guide(url: string): string {
  const rows = listBehaviours();
  const width = Math.max(...rows.map(({ name }) => name.length));
  const list = rows.map(({ name, meaning }) => `  ${name.padEnd(width)}  ${meaning}`).join('\n');
  return `An OpenAI-compatible server that misbehaves on purpose: ${url}/v1
The model name says how. Numbers in a name are yours to change.

${list}

Combine:
  status-503+ok          one behaviour a request, the last one repeats
  ok@200ms               a delay first
  status-503+hang+ok/200@50ms

Try:
  curl -N ${url}/v1/chat/completions -H 'content-type: application/json' \\
    -d '{"model":"cut-after-5","stream":true,"messages":[{"role":"user","content":"Hello"}]}'

As Tiercel's live tier, in tiercel.yaml:
  mode: live
  routing: cloud_first
  deployments:
    - { id: faulty, tier: live, baseUrl: "${url}/v1", auth: { type: none }, model: "status-503+ok" }
  defaults: { live: [faulty] }
`;
}
