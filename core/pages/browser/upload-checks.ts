/** Faults of files that are known before anything is sent, each in one sentence with its limit. */
import { fill, type Texts } from './texts.ts';

type Checked = { accepted: File[]; faults: string[] };

/** The files that a control accepts beside `attached` others, and a sentence for each kind of fault. */
export function checkFiles(
  { accept, dataset }: HTMLInputElement,
  files: readonly File[],
  attached: number,
  texts: Texts,
): Checked {
  const extensions = accept.split(',');
  const faultOf = ({ name, size }: File): string | undefined => {
    if (!extensions.some((extension) => name.toLowerCase().endsWith(extension))) return 'wrongType';
    if (size === 0) return 'empty';
    return size > Number(dataset.maxBytes) ? 'tooLarge' : undefined;
  };
  const fitting = files.filter((file) => faultOf(file) === undefined);
  const accepted = fitting.slice(0, Math.max(0, Number(dataset.max) - attached));
  const sentence = (text: string | undefined, faulty: readonly File[], max?: string): string[] => {
    const name = new Intl.ListFormat(document.documentElement.lang).format(faulty.map((file) => file.name));
    return faulty.length === 0 ? [] : [fill(text, { name, max: max ?? '', types: dataset.types ?? '' })];
  };
  const having = (fault: string): File[] => files.filter((file) => faultOf(file) === fault);
  return {
    accepted,
    faults: [
      ...sentence(texts.wrongType, having('wrongType')),
      ...sentence(texts.empty, having('empty')),
      ...sentence(texts.tooLarge, having('tooLarge'), dataset.maxSize),
      ...sentence(texts.tooMany, fitting.slice(accepted.length), dataset.max),
    ],
  };
}
