// A new context: its library, its service, its place in the registry and wherever a context has to be.
import { join } from 'node:path';
import { spelled } from './names.mjs';

// The plainest context: a new one gets in compose and images what this one has.
const model = 'catalog';

const sorted = (object) =>
  Object.fromEntries(Object.entries(object).sort(([left], [right]) => left.localeCompare(right, 'en')));

const register = (tree, { name, camel }) => {
  const registry = 'libs/shared/contracts/src/registry/contexts.ts';
  tree.insertBefore(
    registry,
    /^\n\/\*\* Every context/,
    `import { ${camel} } from './contexts/${name}.context';\n`,
  );
  tree.change(registry, (text) => text.replace(/,?\s*\] as const;/, `, ${camel}] as const;`));
  tree.insertBefore(registry, /^\};/, `  ...${camel}.topics,\n`, { last: true });
  const list = 'libs/composition/contexts/src/index.ts';
  tree.insertBefore(list, /^\nconst definitions/, `import { ${camel}Context } from '@scrip/${name}';\n`);
  tree.insertBefore(list, /^\};/, `  ${camel}: ${camel}Context,\n`);
  tree.changeJson('libs/composition/contexts/package.json', (manifest) => {
    manifest.dependencies = sorted({ ...manifest.dependencies, [`@scrip/${name}`]: '*' });
  });
};

const deploy = (tree, { name }) => {
  const inCapitals = (text) => text.toUpperCase().replaceAll('-', '_');
  const renamed = (text) => text.replaceAll(model, name).replaceAll(inCapitals(model), inCapitals(name));
  tree.change('deploy/docker/Dockerfile', (text) =>
    text.replace(
      new RegExp(`^FROM runtime AS ${model}\n(?:.+\n)+\n`, 'm'),
      (target) => target + renamed(target),
    ),
  );
  tree.change('docker-compose.yml', (text) =>
    text
      .replace(new RegExp(`,${model}=${model}:\\d+:\\d+`), (address) => address + renamed(address))
      .replace(new RegExp(`^      ${model}: .+\n`, 'm'), (awaited) => awaited + renamed(awaited))
      .replace(
        new RegExp(`^      ${inCapitals(model)}_DATABASE_PASSWORD: .+\n`, 'm'),
        (password) => password + renamed(password),
      )
      .replace(new RegExp(`^  ${model}:\n(?:    .+\n)+\n`, 'm'), (service) => service + renamed(service)),
  );
  tree.change('deploy/docker/make-env.mjs', (text) =>
    text.replace(`'${inCapitals(model)}'`, (one) => `${one}, ${renamed(one)}`),
  );
  tree.change('deploy/postgres/make-context-roles.sh', (text) =>
    text.replace(new RegExp(`^contexts='.*${model}`, 'm'), (list) => `${list} ${name}`),
  );
  tree.change('deploy/tls/make-certificates.sh', (text) =>
    text.replace(new RegExp(`set -- gateway .*${model}`), (list) => `${list} ${name}`),
  );
};

const lock = (tree, packages) =>
  tree.changeJson('package-lock.json', (lockfile) => {
    for (const folder of [...packages, 'libs/composition/contexts']) {
      const { name, version, license, dependencies, devDependencies } = JSON.parse(
        tree.read(join(folder, 'package.json')),
      );
      lockfile.packages[`node_modules/${name}`] = { resolved: folder, link: true };
      lockfile.packages[folder] = {
        name,
        version,
        license,
        dependencies,
        ...(devDependencies && { devDependencies }),
      };
    }
    lockfile.packages = sorted(lockfile.packages);
  });

/** Adds the context of `spellings`, without any feature. Returns the folders of its packages. Throws `Error` where it
 *  exists. */
export const addContext = (tree, templates, spellings) => {
  tree.copy(join(templates, 'context'), (text) => spelled(text, spellings));
  register(tree, spellings.context);
  deploy(tree, spellings.context);
  const packages = [`apps/${spellings.context.name}`, `libs/contexts/${spellings.context.name}`];
  lock(tree, packages);
  return packages;
};
