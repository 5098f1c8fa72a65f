// The words of a context and of a feature, in the spellings that files need. Templates are written for the context
// `gallery` and its feature `show-piece`, whose spellings all differ.
const pascal = (name) => name.replace(/(^|-)([a-z0-9])/g, (_match, _dash, letter) => letter.toUpperCase());
const camel = (name) => pascal(name).replace(/^./, (letter) => letter.toLowerCase());
const snake = (name) => name.replaceAll('-', '_');
const spoken = (name) => name.replaceAll('-', ' ');
const sentence = (name) => spoken(name).replace(/^./, (letter) => letter.toUpperCase());

const pluralOf = (name) => {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, 'ies');
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
};

const article = (name) => (/^[aeiou]/.test(name) ? 'an' : 'a');

/** Returns `name`. Throws `Error` where it cannot be the name of `what`. */
export const checkedName = (name, what, pattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/) => {
  if (pattern.test(name)) return name;
  throw new Error(`"${name}" cannot be the name of ${what}: lower-case letters, digits, single hyphens`);
};

/** The spellings of a context and its feature; `prefix` begins the feature's ids,
 *  `migrationNumber` stands in the name of its migration. */
export const spellingsOf = (context, feature, migrationNumber) => ({
  context: { name: context, pascal: pascal(context), camel: camel(context) },
  feature: { name: feature, pascal: pascal(feature), camel: camel(feature), snake: snake(feature) },
  features: { name: pluralOf(feature), pascal: pascal(pluralOf(feature)), snake: snake(pluralOf(feature)) },
  prefix: `${snake(feature).replace('_', '').slice(0, 3)}_`,
  migrationNumber: String(migrationNumber),
});

/** Returns `text` of a template with the words of these spellings. */
export const spelled = (text, { context, feature, features, prefix, migrationNumber }) =>
  [
    ['1700000000000', migrationNumber],
    ['A show piece', `${article(feature.name) === 'a' ? 'A' : 'An'} ${spoken(feature.name)}`],
    ['a show piece', `${article(feature.name)} ${spoken(feature.name)}`],
    ['Show pieces', sentence(features.name)],
    ['show pieces', spoken(features.name)],
    ['show piece', spoken(feature.name)],
    ['show-pieces', features.name],
    ['show-piece', feature.name],
    ['show_pieces', features.snake],
    ['show_piece', feature.snake],
    ['showPieces', camel(features.name)],
    ['showPiece', feature.camel],
    ['ShowPieces', features.pascal],
    ['ShowPiece', feature.pascal],
    ['sho_', prefix],
    ['Gallery', context.pascal],
    ['galleryC', `${context.camel}C`],
    ['galleryR', `${context.camel}R`],
    ['gallery', context.name],
  ].reduce((result, [from, to]) => result.replaceAll(from, to), text);
