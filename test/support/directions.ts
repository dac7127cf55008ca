/**
 * In which direction browsers lay out the texts of a page, computed as the HTML standard says: `dir="auto"` and `<bdi>` have the
 * direction of the first strong character within, without what is isolated in them.
 */
import { decodeEntities } from './entities.ts';

type Direction = 'ltr' | 'rtl';
type Element = { tag: string; attributes: string; parent: Element | undefined; children: (Element | string)[] };

const TOKEN = /<!--.*?-->|<!doctype[^>]*>|<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>|[^<]+/gis;
const VOID = /^(?:br|hr|img|input|link|meta|path|rect|circle|line)$/;
/** Hebrew, Arabic and their forms, of the letters; digits and signs have no direction of their own. */
const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Returns the direction of the first strong character; undefined without any. */
function firstStrong(text: string): Direction | undefined {
  const [first] = /\p{L}/u.exec(text) ?? [];
  if (first === undefined) return undefined;
  return RTL.test(first) ? 'rtl' : 'ltr';
}

function parse(html: string): Element {
  const root: Element = { tag: '', attributes: '', parent: undefined, children: [] };
  let current = root;
  for (const [token, end, tag = '', attributes = ''] of html.matchAll(TOKEN)) {
    if (/^<!/.test(token)) continue;
    if (tag === '') current.children.push(decodeEntities(token));
    else if (end === '/') current = closed(current, tag);
    else {
      const element = { tag, attributes, parent: current, children: [] };
      current.children.push(element);
      if (!VOID.test(tag) && !attributes.endsWith('/')) current = element;
    }
  }
  return root;
}

function closed(current: Element, tag: string): Element {
  if (current.tag !== tag || !current.parent) throw new Error(`</${tag}> does not close <${current.tag}>`);
  return current.parent;
}

const read = ({ attributes }: Element, name: string): string | undefined => {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : decodeEntities(value);
};

const isIsolated = (element: Element): boolean =>
  /^(?:bdi|script|style|textarea)$/.test(element.tag) || read(element, 'dir') !== undefined;

/** The text that decides the direction of an element. */
const ownText = (element: Element): string =>
  element.tag === 'input'
    ? (read(element, 'value') ?? '')
    : element.children
        .map((child) => (typeof child === 'string' ? child : isIsolated(child) ? '' : ownText(child)))
        .join('');

function directionOf(element: Element): Direction {
  const dir = read(element, 'dir') ?? (element.tag === 'bdi' ? 'auto' : undefined);
  if (dir === 'auto') return firstStrong(ownText(element)) ?? 'ltr';
  if (dir === 'rtl' || dir === 'ltr') return dir;
  return element.parent ? directionOf(element.parent) : 'ltr';
}

/** A sentence of the service begins from the left, whatever it names first; a name of a file may end in other letters. */
const isSentence = (text: string): boolean => /^\s*→|[a-z]/i.test(text.replace(/\.\w+\s*$/, ''));

/** Pictures have no `dir`; a style does it for them. */
const isUnseen = (element: Element): boolean =>
  /^(?:head|script|style|noscript|svg)$/.test(element.tag) ||
  read(element, 'type') === 'hidden' ||
  read(element, 'class') === 'visually-hidden' ||
  read(element, 'aria-hidden') === 'true';

/** Lists the texts and values of a page that begin from the right and are laid out from the left. */
export function listMisdirected(html: string): string[] {
  const found: string[] = [];
  const visit = (element: Element): void => {
    if (isUnseen(element)) return;
    const texts = element.children.filter((child) => typeof child === 'string');
    const isText = element.tag === 'input' && /^(?:text|email)?$/.test(read(element, 'type') ?? '');
    for (const text of isText ? [read(element, 'value') ?? ''] : texts) {
      if (firstStrong(text) !== 'rtl' || isSentence(text) || directionOf(element) === 'rtl') continue;
      found.push(`<${element.tag}${element.attributes}>${text.trim()}`);
    }
    for (const child of element.children) if (typeof child !== 'string') visit(child);
  };
  visit(parse(html));
  return found;
}
