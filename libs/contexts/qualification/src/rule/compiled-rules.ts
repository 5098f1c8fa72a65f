import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { type CompiledRule, type MetadataTypes, compileRule } from '@scrip/rules';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { readRules, type RuleVersion, type StoredRule } from './stored-rules';

/** What one process keeps of all projects: rules, and characters of their definitions. */
const kept = { rules: 10_000, characters: 50_000_000 };

/** Schemas that conditions look into. */
const schemaNames = ['customer', 'order', 'order_item', 'product', 'redemption'] as const;

/** Validation rules ready to be evaluated, kept by version and by the metadata schemas that they were compiled with: a change of
 *  either counts from the next request on. Source: reference 02 §10. */
@Injectable()
export class CompiledRules {
  private readonly known = new LRUCache<string, CompiledRule>({
    max: kept.rules,
    maxSize: kept.characters,
    sizeCalculation: ({ definition }) => JSON.stringify(definition).length,
  });

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    private readonly schemas: MetadataSchemas,
  ) {}

  /** Returns the rules by their ids, each of the version that is named or a later one. What is not kept is read by one statement. */
  async of(
    context: RequestContext,
    wanted: readonly RuleVersion[],
  ): Promise<ReadonlyMap<string, CompiledRule>> {
    const found = new Map<string, CompiledRule>();
    const missing = new Set<string>();
    for (const version of wanted) {
      const rule = this.known.get(this.nameOf(context, version));
      if (rule) found.set(version.rule_id, rule);
      else missing.add(version.rule_id);
    }
    if (missing.size === 0) return found;
    const [rows, typesOf] = await Promise.all([
      readRules(this.dataSource, context.project.id, [...missing]),
      this.typesOf(context),
    ]);
    for (const row of rows) {
      const rule = this.compiled(row, typesOf);
      this.known.set(this.nameOf(context, row), rule);
      found.set(row.rule_id, rule);
    }
    return found;
  }

  private nameOf({ project }: RequestContext, { rule_id, version, epoch }: RuleVersion): string {
    return `${project.id} ${rule_id} ${epoch} ${version} ${project.schemaChanges ?? ''}`;
  }

  private async typesOf(context: RequestContext): Promise<MetadataTypes> {
    const types = await Promise.all(schemaNames.map((name) => this.schemas.typesOf(context, name)));
    const byName = new Map<string, (typeof types)[number]>(
      schemaNames.map((name, index) => [name, types[index]!]),
    );
    return (schema, property) => byName.get(schema)?.(property);
  }

  /** Operands that a schema of today cannot take are compared as text, as they were when the rule was accepted. Throws for a rule
   *  that cannot be read at all: nothing is redeemed as if it had none. */
  private compiled({ rule_id, rule }: StoredRule, types: MetadataTypes): CompiledRule {
    const typed = compileRule(rule, rule_id, types);
    if (!isRefused(typed)) return typed;
    const untyped = compileRule(rule, rule_id);
    if (isRefused(untyped)) throw new Error(`validation rule ${rule_id} cannot be read: ${untyped.details}`);
    return untyped;
  }
}
