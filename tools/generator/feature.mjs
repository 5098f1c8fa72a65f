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

const provide = (tree, { context, feature, features, createdAt }) => {
  const file = `libs/contexts/${context.name}/src/${context.name}.module.ts`;
  const migration = `Create${features.pascal}${createdAt}`;
  const imports = [
    [migration, `./migrations/create-${features.name}.migration`],
    [`${feature.pascal}Handlers`, `./${feature.name}/${feature.name}.handlers`],
    [`${feature.pascal}Http`, `./${feature.name}/${feature.name}.http`],
    [`${feature.pascal}Reads`, `./${feature.name}/${feature.name}.reads`],
  ];
  const added = (list, ...names) => {
    const place = new RegExp(`(?<=${list}: \\[)[^]*?,?\\s*(?=\\])`);
    tree.change(file, (text) => {
      if (!place.test(text)) throw new Error(`${file} has no list of ${list}`);
      return text.replace(place, (known) =>
        [known.trim().replace(/,$/, ''), ...names].filter(Boolean).join(', '),
      );
    });
  };
  tree.insertBefore(
    file,
    /^\n@Module/,
    imports.map(([name, from]) => `import { ${name} } from '${from}';\n`).join(''),
  );
  added('controllers', `${feature.pascal}Http`);
  added('providers', `${feature.pascal}Handlers`, `${feature.pascal}Reads`);
  added('migrations', migration);
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
