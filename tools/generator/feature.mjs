// A new feature of a context: an aggregate with two commands, its routes, its table, its specs, and the rows of the
// tables that tests hold complete.
import { join } from 'node:path';
import { spelled } from './names.mjs';

const expose = (tree, { context, feature, features }) => {
  const entry = `libs/shared/contracts/src/${context.name}/index.ts`;
  const { pascal, name } = feature;
  const types = [`${pascal}Created`, `${pascal}Event`, `${pascal}Renamed`, `${pascal}Snapshot`];
  const line = `export type { ${types.join(', ')} } from './${name}.events';\n`;
  if (tree.has(entry)) tree.change(entry, (text) => text + line);
  else tree.create(entry, line);

  const registered = `libs/shared/contracts/src/registry/contexts/${context.name}.context.ts`;
  const path = `/v1/${features.name}`;
  const routes = [
    `POST ${path}`,
    `GET ${path}`,
    `GET ${path}/{${feature.camel}Id}`,
    `PUT ${path}/{${feature.camel}Id}`,
  ];
  const rows = routes.map((route) => `server('${route}', '${features.name}'),\n`);
  tree.change(registered, (text) =>
    text
      .replace(/(?<=topics: \{)[^}]*?,?\s*(?=\})/, (topics) => {
        const others = topics.trim().replace(/,$/, '');
        return `${others}${others && ','} ${feature.camel}: topic('${context.name}', '${name}'), `;
      })
      .replace(/(?<=routes: \[)[^]*?,?\s*(?=\],?\n\})/, (known) => {
        const others = known.trim().replace(/,$/, '');
        return `${others}${others && ','}\n${rows.join('')}`;
      }),
  );
};

/** Where the migrations of a context are listed. */
const migrationsOf = (context) => `libs/contexts/${context}/src/migrations/index.ts`;

/** Returns the number of a context's next migration, the present time in milliseconds or more: behind all that
 *  it has, as a new database runs them in the order of their numbers. */
export const nextMigration = (tree, context, now = Date.now()) => {
  const file = migrationsOf(context);
  const numbers = tree.has(file) ? (tree.read(file).match(/\d{13}/g) ?? []).map(Number) : [];
  return Math.max(now, ...numbers.map((number) => number + 1));
};

const provide = (tree, { context, feature, features, migrationNumber }) => {
  const file = `libs/contexts/${context.name}/src/${context.name}.module.ts`;
  const imports = [
    [`${feature.pascal}Handlers`, `./${feature.name}/${feature.name}.handlers`],
    [`${feature.pascal}Http`, `./${feature.name}/${feature.name}.http`],
    [`${feature.pascal}Reads`, `./${feature.name}/${feature.name}.reads`],
  ];
  tree.insertBefore(
    file,
    /^\n(?:\/\*\*[^/]*\*\/\n)?@Module/,
    imports.map(([name, from]) => `import { ${name} } from '${from}';\n`).join(''),
  );
  // At the beginning of a list, as its other elements may have lists of their own.
  const listed = (list, ...names) => {
    const beginning = new RegExp(`(?<=^@Module\\([^]*?\\b${list}: \\[)`, 'm');
    tree.change(file, (text) => {
      if (!beginning.test(text)) throw new Error(`${file} has no list of ${list}`);
      return text.replace(beginning, `${names.join(', ')}, `);
    });
  };
  listed('controllers', `${feature.pascal}Http`);
  listed('providers', `${feature.pascal}Handlers`, `${feature.pascal}Reads`);

  const migration = `Create${features.pascal}${migrationNumber}`;
  const migrations = migrationsOf(context.name);
  tree.insertBefore(
    migrations,
    /^\n\/\*\* The schema/,
    `import { ${migration} } from './create-${features.name}.migration';\n`,
  );
  tree.change(migrations, (text) =>
    text.replace(/(= \[)?,?\s*\];\n$/, (_end, empty) => `${empty ?? ', '}${migration}];\n`),
  );
};

const tell = (tree, { feature, features, prefix }) => {
  tree.insertBefore(
    'tools/docs/src/events/catalogue.ts',
    /^\};/,
    `  ${feature.camel}: { events: '${feature.pascal}Event', stream: '${feature.name.replaceAll('-', ' ')}, \`${prefix}…\`' },\n`,
  );
  const id = `${feature.camel}Id`;
  const [list, one] = [`/v1/${features.name}`, `/v1/${features.name}/{${id}}`];
  const access = 'apps/scrip/src/access/access.fixture.ts';
  tree.insertBefore(
    access,
    /^\};\n\n\/\*\* A body to redeem/,
    `  'POST ${list}': { name: 'One' },\n  'PUT ${one}': { name: 'Other' },\n`,
  );
  tree.insertBefore(
    access,
    /^    webhookId: webhook/,
    `    ${id}: (await send('POST', '${list}', { name: newId('n-') })).id as string,\n`,
  );
  tree.insertBefore(
    'tools/docs/src/openapi/openapi.e2e.spec.ts',
    /^    for \(const path of \['\/healthz'/,
    `    const { answer: ${feature.camel} } = await send('POST', '${list}', { body: { name: 'One' } });
    const ${id} = ${feature.camel}.id as string;
    await send('PUT', '${one}', { parameters: { ${id} }, body: { name: 'Other' } });
    await send('GET', '${one}', { parameters: { ${id} } });
    await send('GET', '${list}');\n`,
  );
};

/** Adds the feature of `spellings` to its context. Throws `Error` where it exists, or the context has no module. */
export const addFeature = (tree, templates, spellings) => {
  tree.copy(join(templates, 'feature'), (text) => spelled(text, spellings));
  expose(tree, spellings);
  provide(tree, spellings);
  tell(tree, spellings);
};
