/** The menu of rules: an answer, and for a rule that leads elsewhere a target; each is picked from a list that typing filters. */
import { parsePage } from './next-page.ts';
import { offer, openPickMenu } from './pick-menu.ts';

const MENU = 'rule-menu';

/**
 * Opens the menu for a link with `data-rule`. `load` loads what it offers, `send` sends what was picked as the button of a form
 * with that address. Without what it offers, the menu closes.
 */
export function openRuleMenu(
  link: HTMLAnchorElement,
  load: (address: string, href: string) => Promise<Document | undefined>,
  send: (action: string, address: string) => void,
): void {
  const kind = link.dataset.rule ?? '';
  const address = link.pathname;
  const ownId = new URLSearchParams(link.search).get('own');
  const loaded = load(`${address}?${ownId === null ? '' : `own=${ownId}&`}part=menu`, link.href);
  const menu = openPickMenu(MENU, (item) => {
    const when = item.dataset.when ?? '';
    if (kind === 'show') send(`show-if:${when}`, address);
    else if (kind === 'own') send(`own-if:${ownId}:${when}`, address);
    else pickTarget(loaded, (target) => send(when === '' ? `go-else:${target}` : `go-if:${when}:${target}`, address));
  });
  if (menu) void fillMenu(menu, loaded, kind);
}

/** Asks where a rule leads. */
function pickTarget(loaded: Promise<Document | undefined>, onPick: (target: string) => void): void {
  const menu = openPickMenu(MENU, (item) => onPick(item.dataset.to ?? ''));
  if (menu) void fillMenu(menu, loaded, 'to');
}

async function fillMenu(menu: HTMLDialogElement, loaded: Promise<Document | undefined>, kind: string): Promise<void> {
  for (const title of menu.querySelectorAll<HTMLElement>('[data-step]')) {
    title.hidden = (title.dataset.step === 'target') !== (kind === 'to');
  }
  offer(menu, document.createElement('ul'));
  const list = ((await loaded) ?? parsePage('')).querySelector(`[data-offered="${kind}"]`);
  if (list) offer(menu, list.cloneNode(true) as Element);
  else menu.close();
}
