/** Decide before each call whether it may go on; here, no role may write more than 500 tokens at once. */
import { type AdmissionPolicy, createTiercel, TiercelError } from 'tiercel';

const shortAnswers: AdmissionPolicy = {
  admit({ maxOutputTokens }) {
    if ((maxOutputTokens ?? Number.POSITIVE_INFINITY) > 500) {
      const error = new TiercelError('per_request_tokens_exceeded', 'Set max_tokens to 500 or less.', {
        param: 'max_tokens',
      });
      return { kind: 'denied', error };
    }
    return { kind: 'admitted', policyDigest: null, settle: (usage) => console.log('used', usage) };
  },
};

const tiercel = await createTiercel({ mode: 'simulation' }, { admission: shortAnswers });
try {
  await tiercel.complete({ model: 'auto', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] });
} finally {
  await tiercel.close();
}
