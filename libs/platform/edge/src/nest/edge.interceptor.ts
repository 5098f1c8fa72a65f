import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { HTTP_CODE_METADATA } from '@nestjs/common/internal';
import type { ContextName } from '@scrip/contracts/registry';
import { isRefused } from '@scrip/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, map, type Observable } from 'rxjs';
import { EdgeFailure, renderFailure } from '../failure/failure';
import { failureOfError } from '../failure/failure-of-error';
import { failures } from '../failure/failures';
import { failureOfRefusal, refusalTablesOf } from '../failure/refusals';
import { noteFailure } from '../failure/log-failures';
import { callersKey, fingerprintOf, idempotencyKeyOf } from '../idempotency/idempotency-key';
import { type StoredAnswer, isKept } from '../idempotency/idempotency-row';
import type { HeldRow, IdempotencyStore } from '../idempotency/idempotency-store';
import { operationOf } from '../openapi/operation';
import { edgeOf } from '../request/edge-request';
import { FormUpload } from '../upload/form-upload';
import { checkNames } from '../unknown-names/check-names';
import { handlerNames } from '../unknown-names/handler-names';
import { contextNameOf } from './context-of';

/** Where the key rows of a context are. */
export interface KeyRowStores {
  of(context: ContextName): IdempotencyStore;
}

/** One call of a handler: what it runs in, and how. */
interface Call {
  host: ExecutionContext;
  request: FastifyRequest;
  reply: FastifyReply;
  handle: () => Promise<unknown>;
}

/** Runs a handler; a form that it did not read to its end is ended with it. */
const handleBody = async (body: unknown, next: CallHandler): Promise<unknown> => {
  try {
    return await lastValueFrom(next.handle(), { defaultValue: undefined });
  } finally {
    if (body instanceof FormUpload) body.close();
  }
};

const answerWith = ({ request, reply }: Call, { status, body }: StoredAnswer): unknown => {
  void reply.code(status);
  noteFailure(request, status, body);
  return body ?? undefined;
};

/** The answer of an earlier execution, marked as such. */
const replay = (call: Call, answer: StoredAnswer): unknown => {
  void call.reply.header(replayedHeader, 'true');
  return answerWith(call, answer);
};

/** Marks an answer as the one of an earlier execution under the same Idempotency-Key. */
export const replayedHeader = 'Idempotent-Replayed';

/** An answer, and whether it is stored under the key. */
interface Ended {
  answer: StoredAnswer;
  kept: boolean;
}

const ended = (of: Parameters<typeof isKept>[0], body: unknown): Ended => ({
  answer: { status: of.status, body },
  kept: isKept(of),
});

/** The answer of a handler; a refusal becomes its failure's body. */
const answered = async ({ host, request, reply, handle }: Call): Promise<Ended> => {
  const body = await handle();
  if (!isRefused(body)) return ended({ status: reply.statusCode }, body);
  const failure = failureOfRefusal(body, refusalTablesOf(host.getHandler(), host.getClass()));
  void reply.code(failure.status).headers(failure.headers ?? {});
  const rendered = renderFailure(failure, request.id);
  noteFailure(request, failure.status, rendered);
  return ended(failure, rendered);
};

/** The same with thrown failures that are answers too (a bad body, for example). Throws what must not be stored. */
const answeredOrRefused = async (call: Call): Promise<Ended> => {
  try {
    return await answered(call);
  } catch (error) {
    const { failure } = failureOfError(error);
    if (!isKept(failure)) throw error;
    return ended(failure, renderFailure(failure, call.request.id));
  }
};

/** The answer goes out only after it is stored; one that another execution stored first goes out instead. */
const stored = async (
  store: IdempotencyStore,
  row: HeldRow,
  { answer, kept }: Ended,
): Promise<StoredAnswer> => {
  if (row.isLost) return answer;
  if (!kept) {
    await store.endLease(row);
    return answer;
  }
  const stands = row.hasStored(answer) ? answer : await store.complete(row, answer);
  if (!stands) throw new EdgeFailure(failures.keyInFlight());
  return stands;
};

/** Turns what a handler returns into the answer (refusals into the error body, everything else as it is, 200 unless
 *  `@HttpCode` says otherwise) and runs keyed commands once. */
@Injectable()
export class EdgeInterceptor implements NestInterceptor {
  constructor(private readonly stores: KeyRowStores) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply.code(
      (Reflect.getMetadata(HTTP_CODE_METADATA, host.getHandler()) as number | undefined) ?? 200,
    );
    const call = {
      host,
      request,
      reply,
      handle: () => handleBody(request.body, next),
    };
    const answering = from(this.checkAndAnswer(call));
    const header = operationOf(host.getHandler())?.header;
    const valueOf = header?.valueOf;
    if (!header || !valueOf) return answering;
    return answering.pipe(
      map((answer) => {
        const value = valueOf(request.body, answer);
        if (value !== null) void reply.header(header.name, value);
        return answer;
      }),
    );
  }

  private async checkAndAnswer(call: Call): Promise<unknown> {
    const { host, request, reply } = call;
    await checkNames(request, reply, handlerNames(host.getClass(), host.getHandler() as () => unknown));
    const key = idempotencyKeyOf(request);
    return key === null ? this.answer(call) : this.once(key, call);
  }

  private async answer(call: Call): Promise<unknown> {
    const { answer } = await answered(call);
    return answer.body;
  }

  private async once(key: string, call: Call): Promise<unknown> {
    const { host, request } = call;
    const context = contextNameOf(host.getClass());
    if (!context) throw new Error(`${host.getClass().name} takes commands but has no @ContextOf`);
    const edge = edgeOf(request);
    if (!edge.context) throw new Error('a keyed command needs a project');
    const store = this.stores.of(context);
    if (request.body instanceof FormUpload) await request.body.hold();
    const taken = await store.take({
      projectId: edge.context.project.id,
      key: callersKey(edge.context, key),
      fingerprint: await fingerprintOf(request),
    });
    if (taken.kind === 'answered') return replay(call, taken.answer);
    if (taken.kind === 'in_flight') throw new EdgeFailure(failures.keyInFlight());
    if (taken.kind === 'other_request') throw new EdgeFailure(failures.keyReused());
    edge.idempotency = taken.row;
    edge.ids = taken.row.ids();
    try {
      const end = await answeredOrRefused(call);
      const stands = await stored(store, taken.row, end);
      return stands === end.answer ? answerWith(call, stands) : replay(call, stands);
    } catch (error) {
      // The lease ends by itself soon; the command's own error is what the caller must see.
      await store.endLease(taken.row).catch(() => undefined);
      throw error;
    }
  }
}
