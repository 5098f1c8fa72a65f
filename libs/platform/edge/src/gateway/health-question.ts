import { askingTls, type InternalTls } from '@scrip/rpc';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';

interface Question {
  /** Ends the question: the answer is no. */
  given: AbortSignal;
  tls: InternalTls | null;
  isFine: (status: number) => boolean;
}

const asked = (url: string, { given, tls, isFine }: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const options = { agent: false, signal: given };
    const question = tls ? getSecurely(url, { ...options, ...askingTls(tls) }) : get(url, options);
    question.once('response', (response) => {
      response.resume();
      resolve(isFine(response.statusCode ?? 0));
    });
    // Also what comes after the answer: the rest is not awaited.
    question.on('error', () => resolve(false));
  });

/** Whether a service at this origin answers at all, asked on a connection of its own. */
export const answersItsHealth = (
  origin: string,
  given: AbortSignal,
  tls: InternalTls | null = null,
): Promise<boolean> => asked(`${origin}/healthz`, { given, tls, isFine: () => true });

/** Whether a service at this origin says that it takes requests. */
export const takesRequests = (
  origin: string,
  given: AbortSignal,
  tls: InternalTls | null = null,
): Promise<boolean> => asked(`${origin}/readyz`, { given, tls, isFine: (status) => status === 200 });
