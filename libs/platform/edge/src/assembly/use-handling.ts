import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { redeemablesIn } from '../access/redeemables';
import { stacksAsMerchant } from '../access/permissions';
import { answerFailure } from '../failure/answer-failure';
import { failures } from '../failure/failures';
import { IdempotencyStores } from '../idempotency/idempotency-stores';
import { useBodyParsers } from '../media/body-parsers';
import { EdgeExceptionFilter } from '../nest/edge-exception.filter';
import { EdgeInterceptor } from '../nest/edge.interceptor';
import { InputPipe } from '../validation/input.pipe';

const logger = new Logger('Edge');

const pruneEveryMs = 600_000;

const pruneRegularly = (fastify: FastifyInstance, stores: IdempotencyStores): void => {
  const timer = setInterval(() => {
    stores.prune().catch((error: unknown) => logger.warn('key rows were not pruned', error));
  }, pruneEveryMs).unref();
  fastify.addHook('onClose', async () => clearInterval(timer));
};

/** What only the body shows of a permission. */
const mayNotSend = ({ edge, body }: FastifyRequest): boolean => {
  const { row, context } = edge ?? {};
  return row != null && context?.role != null && stacksAsMerchant(context.role, row, body);
};

/** Notes how many redeemables a browser's body names. */
const countRedeemables = ({ edge, body }: FastifyRequest): void => {
  if (edge?.row?.area === 'client') edge.redeemables = redeemablesIn(body);
};

/** How handlers of admitted requests run, in the process that admitted them or behind a gateway: bodies are read and
 *  checked, refusals and errors get the error shape, keyed commands run once. */
export const useHandling = (app: NestFastifyApplication, fastify: FastifyInstance): void => {
  useBodyParsers(fastify);
  fastify.addHook('preHandler', async (request, reply) => {
    countRedeemables(request);
    if (mayNotSend(request)) return answerFailure(request, reply, failures.missingPermission());
  });
  const stores = new IdempotencyStores(app);
  pruneRegularly(fastify, stores);
  app.useGlobalFilters(new EdgeExceptionFilter());
  app.useGlobalInterceptors(new EdgeInterceptor(stores));
  app.useGlobalPipes(new InputPipe());
};
