import type { FastifyRequest } from 'fastify';

/** Bytes of a request's body as announced; null where it comes in chunks; 0 without one. */
export const announcedBytes = ({ headers }: FastifyRequest): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;

/** Whether a request has a body. */
export const hasBody = (request: FastifyRequest): boolean => announcedBytes(request) !== 0;
