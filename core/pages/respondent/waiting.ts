/**
 * What keeps programs from filling a form: fields of its first page that a program fills in or sends too early, and the page for
 * those who need a proof, whose browser works for some seconds, or who wait.
 */
import type { Gate } from '#core/forms/gate.ts';
import { hasRead, type Proof, requireNewGuest, WAIT_SECONDS } from '#core/identity/guest-limits.ts';
import { Problem } from '#core/problems/problems.ts';
import { assetUrl } from '../shell/assets.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';

/** A field that people do not see: only a program fills it in, or a browser by mistake, so it refuses nobody. */
const TRAP = 'website';

/** Renders the fields with which somebody begins a form without an account. `visit`: the signed time of the page. */
export const visitFields = ({ t }: PageContext, visit: string): Html =>
  html`<input type="hidden" name="visit" value="${visit}"><span class="visually-hidden" aria-hidden="true"><input name="${TRAP}" tabindex="-1" autocomplete="off"></span>
<label class="choice"><input type="checkbox" name="keep" value="on">${t.guest.keep}</label>`;

/**
 * Counts somebody who begins a form without an account; `isProofNeeded`: whoever it is. Returns the page on which they wait if they must, with all that was
 * posted; undefined if they may begin.
 */
export async function waitForTurn(
  app: Parameters<typeof requireNewGuest>[0],
  formId: string,
  fields: URLSearchParams,
  { context, isProofNeeded, page }: { context: PageContext; isProofNeeded: boolean; page: WaitingPage },
): Promise<{ html: Html; status: number } | undefined> {
  const isTrapped = (fields.get(TRAP) ?? '') !== '';
  const needsProof = isProofNeeded || isTrapped || !(await hasRead(app, formId, fields.get('visit') ?? ''));
  try {
    await requireNewGuest(app, formId, { proof: readProof(fields), needsProof });
    return undefined;
  } catch (error) {
    const challenge = error instanceof Problem ? error.headers['guest-challenge'] : undefined;
    if (challenge === undefined) throw error;
    return { html: renderWaitingPage(context, page, { challenge, fields }), status: 429 };
  }
}

/** What the reader waits for. `action`: where what was posted is sent again. `form`: whose page it is, if the reader may know it. */
type WaitingPage = { action: string; form?: Pick<Gate, 'title' | 'dressing'>; texts: WaitingTexts };
/** `working`: while the browser works. `start`: the label of the button for those whose browser does not. */
type WaitingTexts = { title: string; working: string; start: string };

/** Reads the proof of a posted form. Scripts fill in the solution; without one, the reader has waited. */
function readProof(fields: URLSearchParams): Proof | undefined {
  const challenge = fields.get('challenge');
  return challenge === null ? undefined : { challenge, solution: fields.get('solution') || undefined };
}

function renderWaitingPage(
  context: PageContext,
  { action, form, texts }: WaitingPage,
  { challenge, fields }: { challenge: string; fields: URLSearchParams },
): Html {
  const repeated = [...fields].filter(([name]) => name !== 'challenge' && name !== 'solution');
  return layout(context, {
    title: form === undefined ? texts.title : `${texts.title} · ${form.title}`,
    dressing: form?.dressing,
    kind: 'message',
    head: html`<script type="module" src="${assetUrl('proof.js')}"></script>`,
    main: html`<div class="card"><h1>${texts.title}</h1>
<p data-proof-working hidden role="status">${texts.working}</p>
<div data-proof-waiting>${fields.has('challenge') && html`<p class="notice warning" role="alert">${context.t.guest.waiting.again}</p>`}<p>${context.t.guest.waiting.lead(WAIT_SECONDS)}</p></div>
<form method="post" action="${action}" data-proof="${challenge}">
${repeated.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="solution" value="">
<p class="actions"><button>${texts.start}</button></p>
</form></div>`,
  });
}
