import { type DynamicModule, Module } from '@nestjs/common';
import type { Distribution } from '../config/distribution';
import { HealthHttp } from '../health/health.http';
import { Readiness } from '../health/readiness';
import { METRICS, type Metrics } from '../metrics/metrics';
import { portsOfProcess } from './ports-of-process';

/** The root of a process that has no contexts: their ports, its health, its measurements. */
@Module({})
export class GatewayModule {
  static of(distribution: Distribution, metrics: Metrics): DynamicModule {
    return {
      module: GatewayModule,
      imports: [portsOfProcess([], { distribution, metrics })],
      controllers: [HealthHttp],
      providers: [{ provide: METRICS, useValue: metrics }, Readiness],
    };
  }
}
