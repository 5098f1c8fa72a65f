import type { FastifyInstance } from 'fastify';
import { tellEverySecond } from '../admission/every-second';
import type { CallNotes } from './call-notes';

/** Stores every second what was noted, and the rest at the end. */
export const settleNotes = (fastify: FastifyInstance, notes: CallNotes): void =>
  tellEverySecond(fastify, {
    tell: () => notes.settle(),
    atEnd: () => notes.close(),
    failure: 'notes of calls are not stored',
  });
