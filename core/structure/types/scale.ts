/** LINEAR_SCALE and RATING: a whole number between two ends; a rating begins with 1 and shows an icon. */
import * as z from 'zod';
import { refuse } from '#core/problems/answer-faults.ts';
import { formatScalePoint } from '#core/schema/format.ts';
import { type Infer, schema } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { valueText } from './text.ts';
import { getTraits } from './traits.ts';
import type { QuestionTypeRules } from './type.ts';

/** The icons of scales and ratings. */
export const ICONS = [
  'star',
  'heart',
  'thumbs-up',
  'smile',
  'flame',
  'trophy',
  'lightbulb',
  'check',
  'flag',
  'gift',
  'leaf',
  'sun',
] as const;

/** The longest text of an end, in characters. */
export const MAX_SCALE_LABEL = 200;

export const Scale = schema(() =>
  z
    .object({
      minVal: z.int().min(0).max(1),
      maxVal: z.int().min(2).max(10),
      minValueLabel: line(0, MAX_SCALE_LABEL).nullish(),
      maxValueLabel: line(0, MAX_SCALE_LABEL).nullish(),
      icon: z.enum(ICONS).nullish(),
    })
    .meta({ id: 'Scale' }),
);
export type Scale = Infer<typeof Scale>;

/** Returns the option as it is stored. Null means absent in requests; stored and returned options have no nulls. */
const buildScale = ({ minVal, maxVal, minValueLabel, maxValueLabel, icon }: Scale): Scale => ({
  minVal,
  maxVal,
  ...(typeof minValueLabel === 'string' && { minValueLabel }),
  ...(typeof maxValueLabel === 'string' && { maxValueLabel }),
  ...(icon && { icon }),
});

/** Returns the display value of a point: `3 (1-5)`. */
export const formatScale = (value: number, option: Pick<Scale, 'minVal' | 'maxVal'> | undefined): string =>
  option ? `${value} (${option.minVal}-${option.maxVal})` : String(value);

/** LINEAR_SCALE and RATING, whose answers mean the same. */
export const scale: QuestionTypeRules<{ scale?: Scale | undefined }> = {
  build: ({ type, scale: option }, report) => {
    const { hasIcon } = getTraits(type);
    if (hasIcon && option?.minVal !== 1) report('scale/minVal', 'other_start', type);
    if (hasIcon && !option?.icon) report('scale/icon', 'option_missing', type);
    return option ? { scale: buildScale(option) } : {};
  },
  check: ({ type, scale: option }, value) => {
    if (!option) return refuse('', 'no_options', 'scale');
    const { minVal, maxVal } = option;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < minVal || value > maxVal) {
      return refuse('/value', 'out_of_range', minVal, maxVal);
    }
    // JSON can contain -0, which would differ from 0 when answers are compared.
    const number = value === 0 ? 0 : value;
    return { kind: 'answer', content: { type, value: number, display: formatScale(number, option) } };
  },
  display: valueText,
  maxCharacters: '10'.length,
  format: (reader, { value }, { scale: option }) =>
    option && typeof value === 'number' ? formatScalePoint(reader, value, option.maxVal) : undefined,
  column: () => 'number',
  cell: ({ value }) => Number(value),
};
