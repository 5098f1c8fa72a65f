import type { Principal } from '@scrip/contracts/auth';
import { newId } from '@scrip/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Destination } from '../admission/destination';
import { whenAnswerEnds } from '../under-way/answer-end';
import type { CallNotes } from './call-notes';
import { shownUrl } from './shown-url';

/** Notes a call of a project's key or token at its end, whatever becomes of it; calls of users and of managers are none.
 *  `words`: those of the routes. */
export const noteCall = (
  request: FastifyRequest,
  reply: FastifyReply,
  {
    notes,
    words,
    destination: { area, row },
    principal: { kind, key, project, session },
  }: { notes: CallNotes; words: ReadonlySet<string>; destination: Destination; principal: Principal },
): void => {
  if (!project || session) return;
  const created_at = new Date().toISOString();
  const id = newId('log_');
  whenAnswerEnds(request, reply, () => {
    notes.add({
      ...{ id, created_at, project_id: project.id, request_id: request.id },
      status: reply.raw.headersSent ? reply.raw.statusCode : null,
      channel: area === 'client' ? 'CLIENT_API' : 'API',
      method: request.method,
      endpoint: row?.path ?? null,
      url: shownUrl(request.url, words),
      app_id: kind === 'client' ? null : key.id,
      client_app_id: kind === 'client' ? key.id : null,
    });
  });
};
