/** Stream from a local model first and from the cloud when it fails; the stream says who serves. */
import { createTiercel, TiercelError } from 'tiercel';

const tiercel = await createTiercel({
  mode: 'live',
  routing: 'local_first',
  deployments: [
    { id: 'ollama', tier: 'local', baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2:3b' },
    {
      id: 'openai',
      tier: 'live',
      baseUrl: 'https://api.openai.com/v1',
      auth: { type: 'api_key', env: 'OPENAI_API_KEY' },
      model: 'gpt-5.4-mini',
    },
  ],
  defaults: { local: ['ollama'], live: ['openai'] },
});
try {
  const stream = await tiercel.stream({
    model: 'auto',
    messages: [{ role: 'user', content: 'Name three signs of a worn chain.' }],
  });
  console.error(`served by ${stream.served.deployment}, fallback: ${stream.fallbackReason ?? 'none'}`);
  for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
  const { usage, durationMs } = await stream.receipt;
  console.error(`\n${usage.outputTokens} tokens (${usage.source}) in ${durationMs} ms`);
} catch (error) {
  // A cut stream throws: a truncated answer never looks like a finished one.
  if (!(error instanceof TiercelError)) throw error;
  console.error(`${error.code}: ${error.message} (receipt ${error.details.receiptId ?? 'none'})`);
} finally {
  await tiercel.close();
}
