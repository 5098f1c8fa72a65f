import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { InjectMetrics, Metrics } from '../metrics/metrics';
import { Readiness } from './readiness';

/** For whoever runs the process: alive, ready for traffic, measurements. */
@Controller()
export class HealthHttp {
  constructor(
    private readonly readiness: Readiness,
    @InjectMetrics() private readonly metrics: Metrics,
  ) {}

  @Get('healthz')
  alive(@Res() reply: FastifyReply): void {
    void reply.send({ status: 'ok' });
  }

  @Get('readyz')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const complaints = await this.readiness.complaints();
    const isReady = Object.keys(complaints).length === 0;
    void reply
      .status(isReady ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
      .send(isReady ? { status: 'ready' } : { status: 'not_ready', complaints });
  }

  @Get('metrics')
  async measurements(@Res() reply: FastifyReply): Promise<void> {
    const text = await this.metrics.registry.metrics();
    void reply.header('content-type', this.metrics.registry.contentType).send(text);
  }
}
