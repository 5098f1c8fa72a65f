import { get } from 'node:http';

/** Whether a service at this origin answers at all, asked on a connection of its own. */
export const answersItsHealth = (origin: string, patienceMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const question = get(`${origin}/healthz`, { agent: false, signal: AbortSignal.timeout(patienceMs) });
    question.once('response', (response) => {
      response.resume();
      resolve(true);
    });
    // Also what comes after the answer: nobody waits for the rest.
    question.on('error', () => resolve(false));
  });
