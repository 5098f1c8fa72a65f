import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BUSINESS_CLOCK, MACHINE_CLOCK, clockProviders } from '../clock/clock.provider';
import { SCRIP_CONFIG, type ScripConfig } from '../config/scrip-config';
import { ContextModule } from '../context/context.module';
import type { ContextDefinition, MigrationClass } from '../context/context-definition';
import { HealthHttp } from '../health/health.http';
import { Readiness } from '../health/readiness';
import { JobDiscoveryModule } from '../jobs/jobs.module';
import { METRICS, type Metrics } from '../metrics/metrics';
import { portsOfProcess } from './ports-of-process';

/** The root module of a process: global providers and the contexts that run in it. */
@Module({})
export class ServiceModule {
  static of(
    contexts: readonly ContextDefinition[],
    { config, metrics, migrations }: { config: ScripConfig; metrics: Metrics; migrations: MigrationClass[] },
  ): DynamicModule {
    return {
      module: ServiceModule,
      global: true,
      imports: [
        DiscoveryModule,
        JobDiscoveryModule,
        portsOfProcess(
          contexts.map(({ name }) => name),
          { distribution: config.distribution, metrics },
        ),
        ...contexts.map((definition) => ContextModule.for(definition, migrations)),
      ],
      controllers: [HealthHttp],
      providers: [
        { provide: SCRIP_CONFIG, useValue: config },
        { provide: METRICS, useValue: metrics },
        ...clockProviders,
        Readiness,
      ],
      exports: [SCRIP_CONFIG, METRICS, BUSINESS_CLOCK, MACHINE_CLOCK, Readiness, DiscoveryModule],
    };
  }
}
