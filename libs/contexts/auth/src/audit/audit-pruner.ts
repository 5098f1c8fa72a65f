import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Periodic, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { pruneAudit } from './audit.table';

const everyMs = 3_600_000;

/** Deletes old entries of the audit trail once an hour. */
@Injectable()
export class AuditPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: Periodic;

  constructor(
    @InjectDataSource('auth') database: DataSource,
    @Inject(SCRIP_CONFIG) { users }: Pick<ScripConfig, 'users'>,
  ) {
    const run = (): Promise<void> => pruneAudit(database, users.auditDays);
    this.rounds = new Periodic({ name: AuditPruner.name, everyMs, run });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }
}
