import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';

const everyMs = 60_000;

// In the order of the ids, so that two processes do not wait for each other. Machine time: it only says when.
const noteSql = (table: string): string => `
  UPDATE ${table} k SET last_used_at = now()
  FROM (SELECT id FROM ${table} WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE) used WHERE k.id = used.id`;

/** Notes once a minute which keys were used: no call waits for it. A process that is killed loses a minute. Source: reference 07
 *  §2. */
@Injectable()
export class KeyUse implements OnApplicationBootstrap, OnModuleDestroy {
  private used = new Set<string>();
  private readonly rounds = new Periodic({ name: KeyUse.name, everyMs, run: () => this.store() });

  constructor(@InjectDataSource('auth') private readonly database: DataSource) {}

  /** A key was right. */
  note(id: string): void {
    this.used.add(id);
  }

  /** Stores what was noted. */
  async store(): Promise<void> {
    const ids = [...this.used];
    this.used = new Set();
    if (ids.length === 0) return;
    await this.database.query(noteSql('application_keys'), [ids]);
    await this.database.query(noteSql('management_keys'), [ids]);
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
    // The end of a process must not depend on it: a minute of use is lost, as when it is killed.
    await this.store().catch(() => undefined);
  }
}
