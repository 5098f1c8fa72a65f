// Files of the repository that a generator writes or changes.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';

const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true }).filter((file) => statSync(join(folder, file)).isFile());

/** The repository at `root`. Nothing is written before `save`, so that a failed step leaves nothing behind. */
export class Tree {
  #texts = new Map();

  constructor(root) {
    this.root = root;
  }

  has(file) {
    return this.#texts.has(file) || existsSync(join(this.root, file));
  }

  read(file) {
    return this.#texts.get(file) ?? readFileSync(join(this.root, file), 'utf8');
  }

  /** Throws `Error` where the file exists. */
  create(file, text) {
    if (this.has(file)) throw new Error(`${file} exists already`);
    this.#texts.set(file, text);
  }

  change(file, by) {
    this.#texts.set(file, by(this.read(file)));
  }

  changeJson(file, by) {
    this.change(file, (text) => {
      const value = JSON.parse(text);
      by(value);
      return `${JSON.stringify(value, null, 2)}\n`;
    });
  }

  /** Puts `text` before the only, or with `last` the last, place that `anchor` matches. Throws `Error` without one. */
  insertBefore(file, anchor, text, { last = false } = {}) {
    this.change(file, (before) => {
      const places = [...before.matchAll(new RegExp(anchor.source, 'gm'))];
      const place = places.at(-1);
      if (!place || (places.length > 1 && !last))
        throw new Error(`${file}: ${places.length} places match ${anchor}, where one is needed`);
      return `${before.slice(0, place.index)}${text}${before.slice(place.index)}`;
    });
  }

  /** Copies a folder of templates; `spelled` replaces the words of their names and texts. */
  copy(templates, spelled) {
    for (const file of filesUnder(templates))
      this.create(spelled(relative('.', file)), spelled(readFileSync(join(templates, file), 'utf8')));
  }

  /** Writes everything, formatted. Returns the paths. */
  async save() {
    for (const [file, text] of this.#texts) {
      const path = join(this.root, file);
      const options = { ...(await resolveConfig(path)), filepath: path };
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        file === 'package-lock.json' || /(?:Dockerfile|\.sh)$/.test(file)
          ? text
          : await format(text, options),
      );
    }
    return [...this.#texts.keys()];
  }
}
