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
import type { PageResult } from '../shell/result.ts';

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
  gate: Gate,
  fields: URLSearchParams,
  { context, isProofNeeded }: { context: PageContext; isProofNeeded: boolean },
): Promise<PageResult | undefined> {
  const isTrapped = (fields.get(TRAP) ?? '') !== '';
  const needsProof = isProofNeeded || isTrapped || !(await hasRead(app, gate.formId, fields.get('visit') ?? ''));
  try {
    await requireNewGuest(app, gate.formId, { proof: readProof(fields), needsProof });
    return undefined;
  } catch (error) {
    const challenge = error instanceof Problem ? error.headers['guest-challenge'] : undefined;
    if (challenge === undefined) throw error;
    return { html: renderWaitingPage(context, gate, { challenge, fields }), status: 429 };
  }
}

/** Reads the proof of a posted form. Scripts fill in the solution; without one, the reader has waited. */
function readProof(fields: URLSearchParams): Proof | undefined {
  const challenge = fields.get('challenge');
  return challenge === null ? undefined : { challenge, solution: fields.get('solution') || undefined };
}

function renderWaitingPage(
  context: PageContext,
  { formId, title, dressing }: Gate,
  { challenge, fields }: { challenge: string; fields: URLSearchParams },
): Html {
  const { waiting } = context.t.guest;
  const repeated = [...fields].filter(([name]) => name !== 'challenge' && name !== 'solution');
  return layout(context, {
    title: `${waiting.title} · ${title}`,
    dressing,
    kind: 'message',
    head: html`<script type="module" src="${assetUrl('proof.js')}"></script>`,
    main: html`<div class="card"><h1>${waiting.title}</h1>
<p data-proof-working hidden role="status">${waiting.working}</p>
<p data-proof-waiting>${waiting.lead(WAIT_SECONDS)}</p>
<form method="post" action="/f/${formId}/start" data-proof="${challenge}">
${repeated.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="solution" value="">
<p class="actions"><button>${waiting.start}</button></p>
</form></div>`,
  });
}
