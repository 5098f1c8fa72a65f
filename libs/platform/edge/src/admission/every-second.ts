import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

const everyMs = 1_000;

const logger = new Logger('Edge');

/** What a process tells others of in the background. */
export interface BackgroundTelling {
  tell: () => Promise<void>;
  /** Absent: `tell`. */
  atEnd?: () => Promise<void>;
  /** What the log says where it cannot be told: once, until it can be told again. */
  failure: string;
}

/** Tells every second, one time after the other, and once more when all requests have ended. No call waits for it. */
export const tellEverySecond = (
  fastify: FastifyInstance,
  { tell, atEnd = tell, failure }: BackgroundTelling,
): void => {
  let timer: NodeJS.Timeout | undefined;
  let under: Promise<void> = Promise.resolve();
  let isFailing = false;
  const told = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn(`${failure}: ${String(error)}`);
      isFailing = true;
    }
  };
  const next = (): void => {
    timer = setTimeout(() => {
      under = told(tell).then(() => (timer ? next() : undefined));
    }, everyMs).unref();
  };
  fastify.addHook('onReady', async () => next());
  fastify.addHook('onClose', async () => {
    clearTimeout(timer);
    timer = undefined;
    await under;
    await told(atEnd);
  });
};
