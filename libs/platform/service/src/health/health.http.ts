import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readiness, readinessAnswer } from './readiness';

/** Health and readiness, for operators. */
@Controller()
export class HealthHttp {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  alive(@Res() reply: FastifyReply): void {
    void reply.send({ status: 'ok' });
  }

  @Get('readyz')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const { status, body } = await readinessAnswer(this.readiness);
    void reply.status(status).send(body);
  }
}
