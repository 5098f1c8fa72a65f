import type { ContextDefinition, ScripConfig } from '@scrip/service';
import { contextDataSourceOptions, rewrapColumn } from '@scrip/service';
import { masterKeyId } from '@scrip/kernel';
import { DataSource } from 'typeorm';
import type { CommandEnd } from './commands';

/** Seals everything of the contexts with the current master key. `isDone` only where every text opened. Beside running
 *  processes; a run that was interrupted is simply run again. Throws errors of the database. */
export const rewrap = async (
  contexts: readonly ContextDefinition[],
  config: ScripConfig,
  progress: (line: string) => void = () => undefined,
): Promise<CommandEnd> => {
  const id = masterKeyId(Buffer.from(config.masterKey.reveal(), 'base64'));
  const lines = [`the master key is ${id}`];
  let isDone = true;
  for (const { name, sealed = [] } of contexts) {
    if (sealed.length === 0) continue;
    const database = await new DataSource(contextDataSourceOptions(config, name, [])).initialize();
    try {
      for (const column of sealed) {
        const what = `${name}.${column.table}.${column.column}`;
        const { renewed, broken, brokenCount } = await rewrapColumn(database, column, config, (count) =>
          progress(`${what}: ${count}`),
        );
        lines.push(`${what}: ${renewed} sealed again`);
        if (brokenCount > 0) lines.push(`  ${brokenCount} open with no accepted key: ${broken.join(', ')}`);
        isDone &&= brokenCount === 0;
      }
    } finally {
      await database.destroy();
    }
  }
  return { lines, isDone };
};
