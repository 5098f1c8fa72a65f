import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Periodic, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { tellRefusals } from './audit-refusals.table';
import { pruneAudit } from './audit.table';

/** Deletes old entries of the audit trail once an hour, and tells what was refused in hours that are over once a minute. */
@Injectable()
export class AuditRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: Periodic[];

  constructor(
    @InjectDataSource('auth') database: DataSource,
    @Inject(SCRIP_CONFIG) { users }: Pick<ScripConfig, 'users'>,
  ) {
    const prune = (): Promise<void> => pruneAudit(database, users.auditDays);
    const tell = (): Promise<void> => tellRefusals(database);
    this.rounds = [
      new Periodic({ name: AuditRounds.name, everyMs: 3_600_000, run: prune }),
      new Periodic({ name: AuditRounds.name, everyMs: 60_000, run: tell }),
    ];
  }

  onApplicationBootstrap(): void {
    for (const round of this.rounds) round.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.rounds.map((round) => round.stop()));
  }
}
