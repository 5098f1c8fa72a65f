import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nothing queries inside events: as text they are smaller, and neither parsed nor sorted when they are written. */
export class EventsKeepJsonText1700000000010 implements MigrationInterface {
  readonly name = 'EventsKeepJsonText1700000000010';

  async up(runner: QueryRunner): Promise<void> {
    await this.setType(runner, 'json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.setType(runner, 'jsonb');
  }

  // Writes every stored event again, while no process reads or writes the log.
  private async setType(runner: QueryRunner, type: 'json' | 'jsonb'): Promise<void> {
    await runner.query(`
      ALTER TABLE events
        ALTER COLUMN data TYPE ${type} USING data::${type},
        ALTER COLUMN metadata TYPE ${type} USING metadata::${type}`);
  }
}
