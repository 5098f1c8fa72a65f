import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A voucher's row stores the difference to the definition it names. A statement that gives vouchers another definition
 *  must leave out those with a state of their own: their difference says nothing over another definition. */
export class VouchersDiffer1796000000000 implements MigrationInterface {
  readonly name = 'VouchersDiffer1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION keep_voucher_definition() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'voucher % has a state of its own over its definition', OLD.id
          USING ERRCODE = 'check_violation', CONSTRAINT = 'vouchers_definition', TABLE = 'vouchers';
      END $$;
      CREATE TRIGGER vouchers_definition BEFORE UPDATE OF definition_id ON vouchers FOR EACH ROW
        WHEN (OLD.state IS NOT NULL AND OLD.definition_id IS DISTINCT FROM NEW.definition_id)
        EXECUTE FUNCTION keep_voucher_definition()`);
    // A redemption changes its voucher's row in place: room on the page keeps the indexes out of it.
    await runner.query('ALTER TABLE vouchers SET (fillfactor = 85)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER vouchers_definition ON vouchers;
      DROP FUNCTION keep_voucher_definition;
      ALTER TABLE vouchers RESET (fillfactor)`);
  }
}
