/** Builds DynamoDB expressions from the plain data of `core/db/table.ts`, with every name and value as a placeholder. */
import type { Condition } from '#core/db/table.ts';

type UpdateParts = {
  set?: Record<string, unknown>;
  unset?: readonly string[];
  add?: Record<string, number | Set<string>>;
};

/** The attribute by which a write recognizes itself when its answer was lost. */
export const WRITE_ID = 'writeId';

export class Expression {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, unknown>();

  /** The placeholder of an attribute path; dots step into maps. */
  name(path: string): string {
    return path
      .split('.')
      .map((part) => {
        const known = this.#names.get(part);
        if (known) return known;
        const placeholder = `#n${this.#names.size}`;
        this.#names.set(part, placeholder);
        return placeholder;
      })
      .join('.');
  }

  /** The placeholder of a value. */
  value(value: unknown): string {
    const placeholder = `:v${this.#values.size}`;
    this.#values.set(placeholder, value);
    return placeholder;
  }

  /** A ConditionExpression in which everything must hold. */
  condition(when: Condition): string {
    const parts: string[] = [];
    if (when.absent !== undefined)
      parts.push(`${when.absent ? 'attribute_not_exists' : 'attribute_exists'}(${this.name('pk')})`);
    for (const [path, value] of Object.entries(when.equals ?? {}))
      parts.push(`${this.name(path)} = ${this.value(value)}`);
    for (const [path, value] of Object.entries(when.above ?? {}))
      parts.push(`${this.name(path)} > ${this.value(value)}`);
    for (const [path, members] of Object.entries(when.sameSet ?? {}))
      parts.push(
        members.size === 0
          ? `attribute_not_exists(${this.name(path)})`
          : `${this.name(path)} = ${this.value(new Set(members))}`,
      );
    return parts.join(' AND ');
  }

  /** The condition of a write; with `once`, that it is not this write which wrote the item last. */
  onlyIf(when: Condition | undefined, once?: string): { ConditionExpression?: string } {
    const parts = [when ? this.condition(when) : '', once === undefined ? '' : this.#notWrittenBy(once)];
    const condition = parts.filter((part) => part !== '').join(' AND ');
    return condition === '' ? {} : { ConditionExpression: condition };
  }

  #notWrittenBy(writeId: string): string {
    const name = this.name(WRITE_ID);
    return `(attribute_not_exists(${name}) OR ${name} <> ${this.value(writeId)})`;
  }

  /** An UpdateExpression. */
  update(parts: UpdateParts): string {
    const clauses: string[] = [];
    const set = Object.entries(parts.set ?? {}).filter(([, value]) => value !== undefined);
    if (set.length > 0)
      clauses.push(`SET ${set.map(([path, value]) => `${this.name(path)} = ${this.value(value)}`).join(', ')}`);
    if (parts.unset?.length) clauses.push(`REMOVE ${parts.unset.map((path) => this.name(path)).join(', ')}`);
    const add = Object.entries(parts.add ?? {});
    if (add.length > 0)
      clauses.push(`ADD ${add.map(([path, value]) => `${this.name(path)} ${this.value(value)}`).join(', ')}`);
    return clauses.join(' ');
  }

  /** The placeholders as the SDK takes them; left out when there are none. */
  attributes(): {
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues?: Record<string, unknown>;
  } {
    return {
      ...(this.#names.size > 0
        ? {
            ExpressionAttributeNames: Object.fromEntries(
              [...this.#names].map(([name, placeholder]) => [placeholder, name]),
            ),
          }
        : {}),
      ...(this.#values.size > 0 ? { ExpressionAttributeValues: Object.fromEntries(this.#values) } : {}),
    };
  }
}
