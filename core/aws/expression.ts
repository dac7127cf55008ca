/** Builds DynamoDB expressions from the plain data of the table port, with placeholders for names and values. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { TTL_ATTRIBUTE } from '#core/db/keys.ts';
import type { Condition } from '#core/db/table.ts';
import { type Attributes, toAttribute } from './attribute-values.ts';

type UpdateParts = {
  set?: Record<string, unknown>;
  unset?: readonly string[];
  add?: Record<string, number | Set<string>>;
};

/** The attribute with the id of the last write, by which a retry detects that its first attempt succeeded. */
export const WRITE_ID = 'writeId';

export class Expression {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, AttributeValue>();

  /** The placeholder of an attribute path; dots separate the members of maps. */
  name(path: string): string {
    return path
      .split('.')
      .map((part) => {
        const existing = this.#names.get(part);
        if (existing) return existing;
        const placeholder = `#n${this.#names.size}`;
        this.#names.set(part, placeholder);
        return placeholder;
      })
      .join('.');
  }

  /** The placeholder of a value. */
  value(value: unknown): string {
    const placeholder = `:v${this.#values.size}`;
    this.#values.set(placeholder, toAttribute(value));
    return placeholder;
  }

  /** A ConditionExpression that requires all members of a condition. */
  condition(when: Condition): string {
    const parts: string[] = [];
    if (when.absent !== undefined)
      parts.push(`${when.absent ? 'attribute_not_exists' : 'attribute_exists'}(${this.name('pk')})`);
    if (when.absentOrExpired !== undefined)
      parts.push(
        `(attribute_not_exists(${this.name('pk')}) OR ${this.name(TTL_ATTRIBUTE)} <= ${this.value(when.absentOrExpired)})`,
      );
    for (const [path, value] of Object.entries(when.equals ?? {}))
      parts.push(`${this.name(path)} = ${this.value(value)}`);
    for (const [path, value] of Object.entries(when.above ?? {}))
      parts.push(`${this.name(path)} > ${this.value(value)}`);
    for (const [path, value] of Object.entries(when.smaller ?? {}))
      parts.push(`size(${this.name(path)}) < ${this.value(value)}`);
    for (const [path, value] of Object.entries(when.below ?? {})) {
      const name = this.name(path);
      parts.push(`(attribute_not_exists(${name}) OR ${name} < ${this.value(value)})`);
    }
    return parts.join(' AND ');
  }

  /** A FilterExpression: the attribute is absent, null, or a text that sorts at or before another one. */
  notAfter({ attribute, text }: { attribute: string; text: string }): string {
    const name = this.name(attribute);
    return `(attribute_not_exists(${name}) OR attribute_type(${name}, ${this.value('NULL')}) OR ${name} <= ${this.value(text)})`;
  }

  /** The condition of a write; with `notWrittenBy`, the item must not have that write id. */
  onlyIf(when: Condition | undefined, notWrittenBy?: string): { ConditionExpression?: string } {
    const parts = when && Object.keys(when).length > 0 ? [this.condition(when)] : [];
    if (notWrittenBy !== undefined) {
      const name = this.name(WRITE_ID);
      parts.push(`(attribute_not_exists(${name}) OR ${name} <> ${this.value(notWrittenBy)})`);
    }
    return parts.length === 0 ? {} : { ConditionExpression: parts.join(' AND ') };
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

  /** The placeholders for the SDK; empty when there are none. */
  attributes(): {
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues?: Attributes;
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
