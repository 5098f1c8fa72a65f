import { waitUntil } from '@scrip/testing';

interface Ended {
  readonly status: number;
  readonly body?: any;
}

/** Calls `redeem` by five callers without a pause until `end` was answered and each has begun once more. Returns the outcomes of
 *  those calls that began after it, `redeemed` or the key of the refusal, and how many calls had succeeded before. */
export const racing = async (
  redeem: () => Promise<Ended>,
  end: () => Promise<Ended>,
): Promise<{ after: string[]; succeeded: number }> => {
  let hasEnded = false;
  let succeeded = 0;
  const after: string[] = [];
  const caller = async () => {
    for (let isLast = false; !isLast;) {
      isLast = hasEnded;
      const { status, body } = await redeem();
      if (isLast) after.push(status === 200 ? 'redeemed' : body.key);
      else if (status === 200) succeeded += 1;
    }
  };
  const callers = Array.from({ length: 5 }, caller);
  await waitUntil(() => succeeded > 5, { what: 'the first redemptions' });
  expect((await end()).status).toBeLessThan(300);
  hasEnded = true;
  await Promise.all(callers);
  return { after, succeeded };
};
